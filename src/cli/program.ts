// The parser, built by commander from the table of commands, and what surrounds every command: global options, help with
// the exit codes, and one way for whatever goes wrong to be told.
import { Argument, Command, CommanderError, Option } from "commander";
import { findConnection } from "../config/connection.ts";
import { OrchError } from "../domain/errors.ts";
import { createClient } from "./client.ts";
import { COMMANDS, type Command as Entry, type Option as OptionEntry } from "./command-table.ts";
import { addCompletion, completionText, isCompletionRequest } from "./completion.ts";
import type { Context, Surroundings } from "./context.ts";
import { EXIT, EXIT_MEANINGS, type ExitCode } from "./exit-codes.ts";
import { failureOf, fault, usage } from "./failure.ts";
import { FOREVER } from "./option-values.ts";
import { createOut } from "./out.ts";

/** Runs one command line, without the program's own name; resolves with its exit code. */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  let exit: ExitCode = EXIT.done;
  // Of a command line that cannot be parsed, too.
  const json = args.includes("--json");
  const program = createProgram(surroundings, json, (code) => {
    exit = code;
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
      if (error.exitCode === 0) return EXIT.done;
      if (error.code !== "commander.help") out.failure(usage(error.message.replace(/^error: /, "")));
      // With --json nobody reads the help that was written otherwise.
      else if (json) out.failure(usage("There is no command. See: orch --help"));
      return EXIT.usage;
    }
    const failure = error instanceof OrchError ? failureOf(error) : fault(error);
    out.failure(failure);
    return failure.exit;
  }
}

type Conclude = (exit: ExitCode) => void;

function createProgram(surroundings: Surroundings, json: boolean, conclude: Conclude): Command {
  const { stdout, stderr, version } = surroundings;
  const program = new Command("orch")
    .description(
      "Operates what an LLM supervisor delegates: what ran is what was approved, nothing ran twice, done was verified.",
    )
    .option("--json", "answer with one JSON document on stdout, or a line for each event; errors with one on stderr")
    .option("--url <url>", "the server to call (default: ORCH_URL, or ORCH_HOST and ORCH_PORT)")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", exitCodes())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void (json || stderr.write(text)),
      getOutHelpWidth: () => stdout.columns ?? 100,
      outputError: () => undefined,
    });
  for (const entry of COMMANDS) addCommand(program, entry, surroundings, conclude);
  addCompletion(program, stdout);
  return program;
}

function addCommand(program: Command, entry: Entry, surroundings: Surroundings, conclude: Conclude): void {
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
  command.action(async () => {
    const { json, url, ...options } = command.optsWithGlobals();
    const given = { ...namedArguments(command), ...options };
    const run = await entry.load();
    conclude(await run(contextOf(surroundings, json === true, url), given));
  });
}

const groupOf = (program: Command, name: string): Command =>
  program.commands.find((command) => command.name() === name) ??
  program
    .command(name)
    .summary(GROUPS.get(name) ?? "")
    .description(sentence(GROUPS.get(name) ?? ""));

const GROUPS: ReadonlyMap<string, string> = new Map([
  ["sop", "show, compare, export, import and draft one stored procedure"],
  ["policy", "ask the guard about a command"],
  ["eval", "measure a model on cases and tasks"],
]);

const sentence = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;

function optionOf([flags, summary, allowed]: OptionEntry): Option {
  const option = new Option(flags, summary);
  if (typeof allowed === "function") option.argParser(allowed);
  else if (allowed !== undefined) option.choices(allowed);
  return option.optional ? option.preset(FOREVER) : option;
}

const namedArguments = (command: Command): Record<string, unknown> =>
  Object.fromEntries(command.registeredArguments.map((argument, at) => [argument.name(), command.processedArgs[at]]));

function contextOf(surroundings: Surroundings, json: boolean, url: string | undefined): Context {
  const { stdout, stderr } = surroundings;
  const out = createOut({ stdout, stderr, json });
  const connect = () => findConnection(surroundings.environment, url);
  const environment = url === undefined ? surroundings.environment : { ...surroundings.environment, ORCH_URL: url };
  return { ...surroundings, environment, out, connect, call: createClient({ connect, warn: out.note }) };
}

const exitCodes = (): string =>
  [
    "",
    "Exit codes:",
    ...Object.entries(EXIT).map(
      ([name, code]) => `  ${String(code).padEnd(4)} ${EXIT_MEANINGS[name as keyof typeof EXIT]}`,
    ),
    "",
    "The server is found by ORCH_URL, or ORCH_HOST and ORCH_PORT; the token by ORCH_TOKEN, or in its data directory.",
  ].join("\n");
