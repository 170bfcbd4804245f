// Runs one command line: every failure is shown in one way, and becomes an exit code.
import { CommanderError } from "commander";
import { findConnection } from "../config/connection.ts";
import { OrchError } from "../domain/errors.ts";
import { createClient } from "./client.ts";
import { completionText, isCompletionRequest } from "./completion.ts";
import type { Context, Surroundings } from "./context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { failureOf, fault, usage } from "./failure.ts";
import { loadCommand } from "./load-command.ts";
import { createOut } from "./out.ts";
import { createParser } from "./parser.ts";
import { COMMANDS } from "./table/commands.ts";

/** Runs one command line, without the program's own name; resolves with its exit code. */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  let exit: ExitCode = EXIT.done;
  // Of a command line that cannot be parsed, too.
  const json = args.includes("--json");
  const program = createParser(COMMANDS, { ...surroundings, json }, async ({ name }, globals, given) => {
    const run = await loadCommand(name);
    exit = await run(contextOf(surroundings, globals.json, globals.url), given);
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

function contextOf(surroundings: Surroundings, json: boolean, url: string | undefined): Context {
  const { stdout, stderr } = surroundings;
  const out = createOut({ stdout, stderr, json });
  const connect = () => findConnection(surroundings.environment, url);
  const environment = url === undefined ? surroundings.environment : { ...surroundings.environment, ORCH_URL: url };
  return { ...surroundings, environment, out, connect, call: createClient({ connect, warn: out.note }) };
}
