// Serves until a signal stops it, when it is run as a program.
import { realpath } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { EXIT } from "../cli/failure.ts";
import { readConfig } from "../config/config.ts";
import { OrchError } from "../domain/errors.ts";
import { closeInherited } from "../process/inherited-files.ts";
import { startOrch } from "./start.ts";

// Notices that the process that started this one has ended.

const PARENT_CHECK_MS = 250;

/** npm passes a signal on to the shell that it runs a program in, and not to the program: the shell's end has to do. */
function whenOrphaned(then: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, PARENT_CHECK_MS);
  timer.unref();
}

/** Resolves once it listens; a signal ends the process when running steps have. */
export async function serve(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  closeInherited();
  const orch = await startOrch(readConfig(environment), {
    environment,
    onFenced: (reason) => {
      process.stderr.write(`orch stops: ${reason}\n`);
      process.exit(EXIT.replaced);
    },
    onDrained: () => {
      process.stdout.write("drained: nothing runs here any more\n");
      process.exit(EXIT.done);
    },
  });
  process.stdout.write(`orch listens on ${orch.url}\n`);
  if (orch.token_path !== null) process.stdout.write(`the bearer token is in ${orch.token_path}\n`);
  let isStopping = false;
  const stop = (cause: string) => {
    if (isStopping) return;
    isStopping = true;
    process.stdout.write(`${cause}: no further step starts, running ones may finish\n`);
    void orch.stop().then(() => process.exit(0));
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, stop);
  if (process.env["npm_command"] !== undefined) whenOrphaned(() => stop("npm has ended"));
}

function startFault(error: unknown): string {
  if (error instanceof OrchError) {
    const { message, fix } = error;
    return fix === null ? message : `${message}${message.endsWith(".") ? "" : ";"} ${fix}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const startedAs = process.argv[1];
if (startedAs !== undefined && (await realpath(startedAs)) === fileURLToPath(import.meta.url)) {
  serve().catch((error: unknown) => {
    process.stderr.write(`orch cannot start: ${startFault(error)}\n`);
    process.exit(1);
  });
}
