// Runs `npm run --silent cookie` [1.B.4]: connects the library to the process, silences it, and keeps its file in a directory
// that goes with the process.
import { Console } from "node:console";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { type CookieCommand, readArguments, USAGE } from "./arguments.ts";
import { EXIT, runCookieTool, SIGNAL_EXIT, SIGNALS, type Signal } from "./cookie-tool.ts";
import { explainError, explainPort } from "./explain-error.ts";
import { browserGotPage, libraryOptions } from "./library-options.ts";
import { probePort, refusalOf } from "./refusal.ts";
import { watchProxy } from "./watch-proxy.ts";

/**
 * Discards what the library and its dependencies print (D-161): it may contain secrets, and standard output contains the cookie
 * or nothing. Call it before the library is loaded, because its dependencies read this setting when they start.
 */
function silenceLibraries(): void {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  globalThis.console = new Console(nowhere);
  process.noDeprecation = true;
  delete process.env["DEBUG"];
  // Keeps stacks, with paths of this computer, out of error pages.
  process.env["NODE_ENV"] = "production";
}

/**
 * The directory for the file that the library keeps: only this user can open it, and it is removed when the process ends, except
 * by SIGKILL. By default the file would be inside the library's package and would stay. The path of the file; throws when no
 * directory can be made.
 */
function temporaryStore(): string {
  const directory = mkdtempSync(join(tmpdir(), "orch-cookie-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "library.json");
}

/** The library needs some seconds to make a cookie of a login. */
const FINISH_MS = 60_000;

/** Resolves when the text is written; the value is the error when writing fails. */
const write = (stream: NodeJS.WriteStream, text: string) =>
  new Promise<unknown>((resolve) => stream.write(text, resolve));

const say = async (text: string): Promise<void> => void (await write(process.stderr, `${text}\n`));
const error = (text: string): Promise<void> => say(`error: ${text}`);

function watchProcess() {
  const interrupted = Promise.withResolvers<Signal>();
  const crashed = Promise.withResolvers<unknown>();
  let again = false;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (again) process.exit(process.exitCode ?? SIGNAL_EXIT[signal]);
      again = true;
      interrupted.resolve(signal);
    });
  }
  process.on("uncaughtException", crashed.resolve);
  return { interrupted: interrupted.promise, crashed: crashed.promise };
}

async function run({ port, minutes, quiet }: Extract<CookieCommand, { is: "run" }>): Promise<number> {
  const ending = watchProcess();
  const obstacle = refusalOf(process.env) ?? (await portObstacle(port));
  if (obstacle !== undefined) {
    await error(obstacle);
    return EXIT.failed;
  }
  silenceLibraries();
  const { loginTaken, closingPageServed, ...watched } = watchProxy();
  const options = libraryOptions(port, temporaryStore());
  const { default: library } = await import("alexa-cookie2");
  return runCookieTool({
    ...ending,
    ...watched,
    port,
    minutes,
    generate: (callback) => library.generateAlexaCookie(options, callback),
    stop: () => library.stopProxyServer(),
    stdout: async (text) => {
      const failure = await write(process.stdout, text);
      // The cookie is printed even if a signal arrives from here on.
      if (!failure) process.exitCode = EXIT.done;
      return failure;
    },
    notice: quiet ? async () => undefined : say,
    error,
    browserGotPage: () => browserGotPage(closingPageServed),
    unfinished: loginTaken.then(() => delay(FINISH_MS)),
    timeIsUp: new Promise((resolve) => setTimeout(resolve, minutes * 60_000)),
  });
}

async function portObstacle(port: number): Promise<string | undefined> {
  const code = await probePort(port);
  return code === undefined ? undefined : explainPort(port, code);
}

async function main(): Promise<number> {
  const order = readArguments(process.argv.slice(2));
  if (order.is === "run") return run(order);
  if (order.is === "help") return (await write(process.stdout, USAGE)) ? EXIT.failed : EXIT.done;
  await error(order.message);
  return EXIT.usage;
}

// `write` reports errors of the output.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);
process.exit(
  await main().catch(async (fault) => {
    await error(explainError(fault));
    return EXIT.failed;
  }),
);
