// Defines what every command receives. Everything with an effect is a parameter, so that tests run commands in their own
// process.
import type { Readable } from "node:stream";
import type { z } from "zod";
import type { Connection } from "../config/connection.ts";
import type { DoctorCheck } from "../doctor/examination.ts";
import type { TaskContract } from "../domain/contract.ts";
import type {
  BackupOrder,
  BackupReport,
  MigrateOrder,
  MigrateReport,
  RestoreOrder,
  RestoreReport,
} from "../features/keeping/backup/reports.ts";
import type { SkillReport } from "../features/skills/kit/check-skill.ts";
import type { SkillTrial } from "../features/skills/trial/test-skill.ts";
import type { Clock } from "../ports.ts";
import { parseInput } from "../schema/parse-input.ts";
import type { RoutingReport } from "../tools/eval/compare-formats.ts";
import type { RoutingOrder } from "../tools/eval/eval.ts";
import type { AgentScore, TaskResult } from "../tools/eval/scores.ts";
import type { EvalTask } from "../tools/eval/task.ts";
import type { CallOperation } from "./client.ts";
import { CommandFailed, type ExitCode, failed, usage } from "./failure.ts";
import type { Out, Terminal } from "./out.ts";

/** Parts of orch that are loaded only by the command that needs them. */
type Parts = {
  /** Resolves as soon as the server listens. The server runs until the process receives a signal. */
  readonly serve: (environment: CommandLineContext["environment"]) => Promise<void>;
  readonly skills: () => Promise<SkillParts>;
  readonly doctor: (
    environment: CommandLineContext["environment"],
    options: { readonly deep: boolean },
  ) => Promise<readonly DoctorCheck[]>;
  readonly backup: (environment: CommandLineContext["environment"], order: BackupOrder) => Promise<BackupReport>;
  readonly restore: (environment: CommandLineContext["environment"], order: RestoreOrder) => Promise<RestoreReport>;
  readonly migrate: (environment: CommandLineContext["environment"], order: MigrateOrder) => Promise<MigrateReport>;
  /** Both return the results so far when they are interrupted. */
  readonly evalRouting: (environment: CommandLineContext["environment"], order: RoutingOrder) => Promise<RoutingReport>;
  readonly evalAgent: (
    environment: CommandLineContext["environment"],
    order: {
      readonly tasks: readonly EvalTask[];
      readonly backend: TaskContract["agent_backend"];
      readonly onProgress: (done: number, task: TaskResult) => void;
    },
  ) => Promise<AgentScore>;
  /** Speaks MCP on stdin and stdout until stdin ends. */
  readonly bridge: (target: {
    readonly url: string;
    readonly token: string;
    /** Called when the server stops answering; resolves with true when a server answers again. */
    readonly revive: () => Promise<boolean>;
  }) => Promise<void>;
  /** Starts a server in this process. Resolves as soon as it answers. */
  readonly embed: () => Promise<{ readonly stop: () => Promise<void> }>;
};

export type CommandLineContext = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly clock: Clock;
  readonly stdin: Readable;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly version: string;
  /** How long a command calls a server again that has stopped answering. */
  readonly patience_ms: number;
  /** At Ctrl-C, `say` is called and the process ends with the code that it returns. The result takes that back. */
  readonly onInterrupt: (say: () => ExitCode) => () => void;
  readonly parts: Parts;
};

export type CommandContext = CommandLineContext & {
  readonly out: Out;
  readonly call: CallOperation;
  readonly connect: () => Promise<Connection>;
};

/** `given` holds the command's arguments and options by name, as commander parsed them. */
export type CommandRun = (context: CommandContext, given: unknown) => Promise<ExitCode>;

/** Checks the arguments by `schema` before the command runs, and prints why it failed. */
export const command =
  <S extends z.ZodType>(
    schema: S,
    run: (context: CommandContext, given: z.output<S>) => Promise<ExitCode>,
  ): CommandRun =>
  async (context, given) => {
    try {
      const parsed = parseInput(schema, given);
      if (parsed.ok) return await run(context, parsed.value);
      return failed(usage(`${parsed.issues.map((issue) => `${issue.path} ${issue.message}`).join("; ")}.`));
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      context.out.failure(error.failure);
      return error.failure.exit;
    }
  };

// What the commands on skills have of orch.

type Environment = Readonly<Record<string, string | undefined>>;
type Files = Readonly<Record<string, string>>;

export type SkillParts = {
  /** The files of a new skill by name, or what is wrong with its name. */
  readonly make: (name: string, directory: string) => { readonly fault: string } | { readonly files: Files };
  readonly check: (directory: string, environment: Environment) => Promise<SkillReport>;
  readonly test: (directory: string, environment: Environment) => Promise<SkillTrial>;
};
