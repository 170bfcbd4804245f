// Runs one command line. Every failure is printed in one format and becomes an exit code.
import { Argument, Command, CommanderError, Help, Option } from "commander";
import { findConnection } from "../config/connection.ts";
import { OrchError } from "../domain/errors.ts";
import { readTraceparent } from "../domain/traceparent.ts";
import { createClient } from "./client.ts";
import { addCompletion, completionText, isCompletionRequest } from "./completion.ts";
import type { CommandContext, CommandLineContext, CommandRun } from "./context.ts";
import { EXIT, EXIT_MEANINGS, type ExitCode, failureOf, fault, usage } from "./failure.ts";
import { choiceOf, FOREVER } from "./option-values.ts";
import { createOut, type Terminal } from "./out.ts";
import type { CommandEntry, CommandOption } from "./table/command.ts";
import { COMMANDS } from "./table/commands.ts";
import { COMPLETION_EXAMPLES, EXAMPLES, examplesOf, FIRST_EXAMPLES } from "./table/examples.ts";
import { fitHelp } from "./text-format.ts";

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

// Builds the commander parser from the table of commands, with the global options and the help.

type Surface = Pick<CommandLineContext, "stdout" | "stderr" | "version"> & { readonly json: boolean };

type GlobalOptions = { readonly json: boolean; readonly url: string | undefined };

/** `given` holds the command's arguments and options by name. */
type OnCommand = (
  entry: CommandEntry,
  globals: GlobalOptions,
  given: Readonly<Record<string, unknown>>,
) => Promise<void>;

/** With --json, stderr receives errors only. */
export function createParser(entries: readonly CommandEntry[], surface: Surface, onCommand: OnCommand): Command {
  const { stdout, stderr, version, json } = surface;
  const program = new Command("orch")
    .description(
      "Operates what an LLM supervisor delegates: what ran is what was approved, nothing ran twice, done was verified.",
    )
    .option("--json", "answer with one JSON document on stdout, or a line for each event; errors with one on stderr")
    .option(
      "--url <url>",
      "the server to call (default: ORCH_URL, or ORCH_HOST and ORCH_PORT, or the one of the data directory)",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", exitCodes())
    .exitOverride()
    .configureHelp({ optionDescription: withoutPreset })
    .configureOutput({
      writeOut: (text) => void stdout.write(fitHelp(text, widthOf(stdout))),
      writeErr: (text) => void (json || stderr.write(fitHelp(text, widthOf(stderr)))),
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
      outputError: () => undefined,
    });
  for (const entry of entries) addCommand(program, entry, onCommand);
  addExamples(program, FIRST_EXAMPLES);
  addExamples(addCompletion(program, stdout), COMPLETION_EXAMPLES);
  return program;
}

/** The summary of an option says what it means without a value; commander would add the value of this program for it. */
const withoutPreset = (option: Option): string =>
  new Help().optionDescription(Object.create(option, { presetArg: { value: undefined } }));

const widthOf = ({ columns }: Terminal): number => columns || 100;

function addCommand(program: Command, entry: CommandEntry, onCommand: OnCommand): void {
  const [first = "", second] = entry.name.split(" ");
  const parent = second === undefined ? program : groupOf(program, first);
  const command = parent
    .command(second ?? first)
    .summary(entry.summary)
    .description(sentence(entry.summary));
  for (const [syntax, summary, choices] of entry.arguments ?? []) {
    const argument = new Argument(syntax, summary);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const option of entry.options ?? []) command.addOption(optionOf(option));
  if (entry.more !== undefined) command.addHelpText("after", `\n${entry.more}`);
  addExamples(command, EXAMPLES[entry.name] ?? []);
  command.action(async () => {
    const { json, url, ...options } = command.optsWithGlobals();
    refusePlaceholders(command);
    await onCommand(entry, { json: json === true, url }, { ...namedArguments(command), ...options });
  });
}

function addExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText("after", ["", "Examples:", ...examples.map((line) => `  ${line}`)].join("\n"));
}

function groupOf(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  if (known !== undefined) return known;
  const summary = GROUPS.get(name) ?? "";
  const group = program.command(name).summary(summary).description(sentence(summary));
  addExamples(group, examplesOf(name));
  return group;
}

const GROUPS: ReadonlyMap<string, string> = new Map([
  ["new", "write a file to begin with"],
  ["sop", "show, compare, copy, export, import and draft one stored procedure"],
  ["library", "list, show and import the procedures that come with orch"],
  ["skill", "write, check and try a skill"],
  ["schedule", "have contracts submitted by orch itself, at set times"],
  ["policy", "ask the guard about a command"],
  ["service", "run the server as a service of systemd"],
  ["eval", "measure a model on cases and tasks"],
]);

const sentence = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;

function optionOf([flags, summary, allowed]: CommandOption): Option {
  const option = new Option(flags, summary);
  if (typeof allowed === "function") option.argParser(allowed);
  else if (allowed !== undefined) option.choices(allowed).argParser((value) => choiceOf(allowed, value));
  return option.optional ? option.preset(FOREVER) : option;
}

/** A value in capitals of a command that was pasted as it was printed: it must not be recorded as who decided (D-095). */
function refusePlaceholders(command: Command): void {
  for (const option of command.options) {
    const placeholder = /<(.+)>/.exec(option.flags)?.[1]?.toUpperCase();
    const given: unknown[] = [command.getOptionValue(option.attributeName())].flat();
    if (placeholder !== undefined && given.includes(placeholder))
      command.error(`error: ${option.long} ${placeholder}: put your own text in the place of ${placeholder}.`);
  }
}

const namedArguments = (command: Command): Record<string, unknown> =>
  Object.fromEntries(command.registeredArguments.map((argument, at) => [argument.name(), command.processedArgs[at]]));

const exitCodes = (): string =>
  [
    "",
    "Exit codes:",
    ...Object.entries(EXIT).map(
      ([name, code]) => `  ${String(code).padEnd(4)} ${EXIT_MEANINGS[name as keyof typeof EXIT]}`,
    ),
    "",
    "The server is found by ORCH_URL, or ORCH_HOST and ORCH_PORT, or in its data directory; the token by ORCH_TOKEN, or there.",
  ].join("\n");
