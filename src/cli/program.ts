// Runs one command line, with the code of its command, which is loaded only then. Every failure is printed in one format
// and becomes an exit code.
import { type Command, CommanderError } from "commander";
import { findConnection } from "../config/connection.ts";
import { OrchError } from "../domain/errors.ts";
import { readTraceparent } from "../domain/traceparent.ts";
import { createClient } from "./client.ts";
import { completionText, isCompletionRequest } from "./completion.ts";
import type { CommandContext, CommandLineContext, CommandRun } from "./context.ts";
import { EXIT, type ExitCode, failureOf, fault, usage } from "./failure.ts";
import { createOut } from "./out.ts";
import { createParser } from "./parser.ts";
import { COMMANDS } from "./table/commands.ts";

/** `args` is the command line without the program's name. Resolves with the exit code. */
export async function runCommandLine(args: readonly string[], context: CommandLineContext): Promise<ExitCode> {
  const { stdout, stderr } = context;
  let exit: ExitCode = EXIT.done;
  // Searched before parsing: a command line that cannot be parsed may have --json too.
  const json = args.includes("--json");
  const program = createParser(COMMANDS, { ...context, json }, async ({ name }, globals, given) => {
    const run = await loadCommand(name);
    exit = await run(contextOf(context, globals.json, globals.url), given);
  });
  if (isCompletionRequest(args)) {
    stdout.write(completionText(program, args.slice(2)));
    return EXIT.done;
  }
  const out = createOut({ stdout, stderr, json });
  try {
    await program.parseAsync([...args], { from: "user" });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) {
      const asked = commandIn(program, args);
      if (error.exitCode === 0) return EXIT.done;
      if (error.code !== "commander.help") out.failure({ ...usage(plain(error.message)), fix: `See: ${asked} --help` });
      // With --json the help is not printed.
      else if (json) out.failure(usage(`There is no command. See: ${asked} --help`));
      return EXIT.usage;
    }
    const failure = error instanceof OrchError ? failureOf(error) : fault(error);
    out.failure(failure);
    return failure.exit;
  }
}

/** The command that a command line names, as far as it exists. */
function commandIn(program: Command, args: readonly string[]): string {
  let command = program;
  let name = program.name();
  for (const arg of args) {
    const next = command.commands.find((known) => known.name() === arg);
    if (next === undefined) continue;
    command = next;
    name = `${name} ${arg}`;
  }
  return name;
}

/** Commander's words for an argument that is none of its choices are no sentence. */
const plain = (message: string): string =>
  message.replace(/^error: /, "").replace(/^command-argument value/, "the value");

function contextOf(context: CommandLineContext, json: boolean, url: string | undefined): CommandContext {
  const { stdout, stderr } = context;
  const out = createOut({ stdout, stderr, json, url });
  const connect = () => findConnection(context.environment, url);
  const environment = url === undefined ? context.environment : { ...context.environment, ORCH_URL: url };
  // Of the program that runs this command, such as a step of another task.
  const traceparent = readTraceparent(context.environment["TRACEPARENT"]);
  return { ...context, environment, out, connect, call: createClient({ connect, warn: out.note, traceparent }) };
}

// The code of each command by its name. It is loaded only when the command runs, so that every command starts fast.

const LOADERS: Readonly<Record<string, () => Promise<CommandRun>>> = {
  submit: async () => (await import("./commands/contracts.ts")).submit,
  run: async () => (await import("./commands/contracts.ts")).run,
  "new contract": async () => (await import("./commands/contracts.ts")).newContract,
  tasks: async () => (await import("./commands/tasks.ts")).tasks,
  task: async () => (await import("./commands/tasks.ts")).task,
  approvals: async () => (await import("./commands/approvals.ts")).approvals,
  approve: async () => (await import("./commands/approvals.ts")).approve,
  reject: async () => (await import("./commands/approvals.ts")).reject,
  cancel: async () => (await import("./commands/tasks.ts")).cancel,
  resolve: async () => (await import("./commands/tasks.ts")).resolve,
  evidence: async () => (await import("./commands/evidence.ts")).evidence,
  anchors: async () => (await import("./commands/evidence.ts")).anchors,
  graph: async () => (await import("./commands/tasks.ts")).graph,
  verify: async () => (await import("./commands/verify.ts")).verify,
  inbox: async () => (await import("./commands/inbox.ts")).inbox,
  scorecard: async () => (await import("./commands/scorecard.ts")).scorecard,
  messages: async () => (await import("./commands/inbox.ts")).messages,
  teach: async () => (await import("./commands/sops.ts")).teach,
  sops: async () => (await import("./commands/sops.ts")).sops,
  "sop show": async () => (await import("./commands/sops.ts")).showSop,
  "sop diff": async () => (await import("./commands/sops.ts")).diffSop,
  "sop export": async () => (await import("./commands/sops.ts")).exportSopFile,
  "sop import": async () => (await import("./commands/sops.ts")).importSopFile,
  "sop propose": async () => (await import("./commands/sops.ts")).proposeSopFile,
  "sop copy": async () => (await import("./commands/sops.ts")).copySopFor,
  "sop rollback": async () => (await import("./commands/sops.ts")).rollbackSopTo,
  "library list": async () => (await import("./commands/library.ts")).listLibrary,
  "library show": async () => (await import("./commands/library.ts")).showLibrary,
  "library import": async () => (await import("./commands/library.ts")).importLibrary,
  prove: async () => (await import("./commands/sops.ts")).prove,
  "schedule add": async () => (await import("./commands/schedules.ts")).addScheduleOf,
  "schedule list": async () => (await import("./commands/schedules.ts")).schedules,
  "schedule show": async () => (await import("./commands/schedules.ts")).showSchedule,
  "schedule pause": async () => (await import("./commands/schedules.ts")).pause,
  "schedule resume": async () => (await import("./commands/schedules.ts")).resume,
  "schedule remove": async () => (await import("./commands/schedules.ts")).remove,
  servers: async () => (await import("./commands/servers.ts")).servers,
  drain: async () => (await import("./commands/servers.ts")).drain,
  freeze: async () => (await import("./commands/freezes.ts")).freeze,
  thaw: async () => (await import("./commands/freezes.ts")).thaw,
  freezes: async () => (await import("./commands/freezes.ts")).freezes,
  console: async () => (await import("./commands/console.ts")).openConsole,
  explain: async () => (await import("./commands/contracts.ts")).explainContract,
  serve: async () => (await import("./commands/serve.ts")).serve,
  ready: async () => (await import("./commands/serve.ts")).ready,
  "service install": async () => (await import("./commands/service.ts")).installService,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  backup: async () => (await import("./commands/backup.ts")).backup,
  restore: async () => (await import("./commands/backup.ts")).restore,
  migrate: async () => (await import("./commands/backup.ts")).migrate,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  "skill new": async () => (await import("./commands/skill.ts")).newSkill,
  "skill check": async () => (await import("./commands/skill.ts")).checkSkill,
  "skill test": async () => (await import("./commands/skill.ts")).testSkill,
  "policy check": async () => (await import("./commands/policy-check.ts")).policyCheck,
  "eval routing": async () => (await import("./commands/eval.ts")).evalRouting,
  "eval agent": async () => (await import("./commands/eval.ts")).evalAgent,
};

export function loadCommand(name: string): Promise<CommandRun> {
  const load = LOADERS[name];
  if (load === undefined) throw new Error(`the command ${name} has no code`);
  return load();
}
