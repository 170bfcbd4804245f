#!/usr/bin/env node
// The program `orch`. It parses the command first and loads the server, the database and the graphs only for the commands
// that run them. All code is loaded through a compile cache.
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import metadata from "../package.json" with { type: "json" };

// In a directory of the user: a writer of the cache decides what runs. The processes of skills find it in the environment.
const cache = process.env["XDG_CACHE_HOME"] ?? "";
process.env["NODE_COMPILE_CACHE"] ??= join(isAbsolute(cache) ? cache : join(homedir(), ".cache"), "orch");
enableCompileCache(process.env["NODE_COMPILE_CACHE"]);

const { EXIT } = await import("./cli/failure.ts");
const { runCommandLine } = await import("./cli/program.ts");

// A reader that has closed its end gets no message; an answer that was not read is no success either.
const leave = ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") process.exit(EXIT.not_read);
  process.stderr.write(`error: the answer cannot be written: ${message}\n`);
  process.exit(EXIT.fault);
};
process.stdout.on("error", leave);
// Where nothing can be written, the exit code still reports the result.
process.stderr.on("error", () => undefined);

const ENDS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  cwd: process.cwd(),
  home: homedir(),
  clock: () => new Date(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  version: metadata.version,
  patience_ms: 60_000,
  onInterrupt: (say) => {
    const leave = () => process.exit(say());
    process.once("SIGINT", leave);
    return () => process.off("SIGINT", leave);
  },
  parts: {
    serve: async (environment) => (await import("./app/main.ts")).serve(environment),
    skills: async () => (await import("./app/skill-commands.ts")).skillCommands,
    doctor: async (environment, options) => (await import("./doctor/doctor.ts")).doctor(environment, options),
    backup: async (environment, order) =>
      (await import("./features/keeping/backup/commands.ts")).backup(environment, order),
    restore: async (environment, order) =>
      (await import("./features/keeping/backup/commands.ts")).restore(environment, order),
    migrate: async (environment, order) =>
      (await import("./features/keeping/backup/commands.ts")).migrate(environment, order),
    evalRouting: async (environment, order) =>
      (await import("./tools/eval/eval.ts")).evalRouting(environment, order, interruption()),
    evalAgent: async (environment, order) => {
      const { startOrch } = await import("./app/start.ts");
      return (await import("./tools/eval/eval.ts")).evalAgent(startOrch, environment, order, interruption());
    },
    bridge: async (place) => {
      const { bridgeStdio } = await import("./api/mcp/stdio.ts");
      // A host that stops reading ends the bridge: that is no fault.
      process.stdout.off("error", leave);
      await bridgeStdio(place);
    },
    embed,
  },
});

/** Aborted by the first of the signals; a second one ends the process. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  const stop = (): void => {
    for (const signal of ENDS) process.off(signal, stop);
    interrupted.abort();
  };
  for (const signal of ENDS) process.once(signal, stop);
  return interrupted.signal;
}

async function embed() {
  const { startOrch } = await import("./app/start.ts");
  const { readConfig } = await import("./config/config.ts");
  const orch = await startOrch(readConfig(process.env));
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= orch.stop());
  for (const signal of ENDS) {
    process.once(signal, () => void stop().then(() => process.exit(0)));
  }
  return { stop };
}
