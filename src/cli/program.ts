// Runs one command line, with the code of its command, which is loaded only then. Every failure is printed in one format
// and becomes an exit code.
import { type Command, CommanderError } from "commander";
import { findConnection } from "../config/connection.ts";
import { OrchError } from "../domain/errors.ts";
import { readTraceparent } from "../domain/trace-mark.ts";
import { createClient } from "./client.ts";
import { completionText, isCompletionRequest } from "./completion.ts";
import type { CommandContext, CommandLineContext } from "./context.ts";
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
  const program = createParser(COMMANDS, { ...context, json }, async (entry, globals, given) => {
    const run = await entry.run();
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
