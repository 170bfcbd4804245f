// What the commands are given: everything with an effect arrives here, so that tests run them in their own process too.
import type { Readable } from "node:stream";
import type { z } from "zod";
import type { Connection } from "../config/connection.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { NumberedCase } from "../eval/case.ts";
import type { AgentScore, TaskResult } from "../eval/score-agent.ts";
import type { RoutingScore } from "../eval/score-routing.ts";
import type { EvalTask } from "../eval/task.ts";
import type { Clock } from "../ports.ts";
import { parseInput } from "../schema/parse-input.ts";
import type { Call } from "./client.ts";
import type { ExitCode } from "./exit-codes.ts";
import { type Failure, usage } from "./failure.ts";
import type { Out, Terminal } from "./out.ts";

/** What `doctor` finds of one thing. */
export type Check = {
  readonly name: string;
  readonly state: "works" | "falls_back" | "broken" | "off";
  readonly found: string;
  readonly fix: string | null;
};

/** Heavy parts of orch that this program only starts. */
type Parts = {
  /** Serves until it is told to stop; resolves once it listens. */
  readonly serve: () => Promise<void>;
  readonly doctor: (environment: Surroundings["environment"]) => Promise<readonly Check[]>;
  /** Both end with what there is when they are interrupted. */
  readonly evalRouting: (
    environment: Surroundings["environment"],
    order: { readonly cases: readonly NumberedCase[]; readonly told: (done: number) => void },
  ) => Promise<RoutingScore>;
  readonly evalAgent: (
    environment: Surroundings["environment"],
    order: {
      readonly tasks: readonly EvalTask[];
      readonly backend: TaskContract["agent_backend"];
      readonly told: (done: number, task: TaskResult) => void;
    },
  ) => Promise<AgentScore>;
  /** Speaks MCP on stdin and stdout until stdin ends. */
  readonly bridge: (place: {
    readonly url: string;
    readonly token: string;
    /** Asked when the server has gone; true when there is one again. */
    readonly revive: () => Promise<boolean>;
  }) => Promise<void>;
  /** A server in this process. Resolves once it answers. */
  readonly embed: () => Promise<{ readonly stop: () => Promise<void> }>;
};

export type Surroundings = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly clock: Clock;
  readonly stdin: Readable;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly version: string;
  /** How long a server that has stopped answering is asked again. */
  readonly patience_ms: number;
  readonly parts: Parts;
};

export type Context = Surroundings & {
  readonly out: Out;
  readonly call: Call;
  readonly connect: () => Promise<Connection>;
};

/** `given` holds the arguments and options of the command by name, as commander read them. */
export type Run = (context: Context, given: unknown) => Promise<ExitCode>;

export function fail({ out }: Pick<Context, "out">, failure: Failure): ExitCode {
  out.failure(failure);
  return failure.exit;
}

/** A command behind the schema of what it is given. */
export const command =
  <S extends z.ZodType>(schema: S, run: (context: Context, given: z.output<S>) => Promise<ExitCode>): Run =>
  async (context, given) => {
    const parsed = parseInput(schema, given);
    if (parsed.ok) return run(context, parsed.value);
    const told = parsed.issues.map(({ path, message }) => `${path} ${message}`).join("; ");
    return fail(context, usage(`${told}.`));
  };
