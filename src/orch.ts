#!/usr/bin/env node
// The program `orch`. It finds out what it is asked to do before it loads what that takes: the server, the database and
// the graphs only for the commands that run them, and all code by way of a cache of its compiled form.
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import metadata from "../package.json" with { type: "json" };

// In a directory of the user: whoever can write to the cache decides what runs.
const cache = process.env["XDG_CACHE_HOME"] ?? "";
enableCompileCache(
  process.env["NODE_COMPILE_CACHE"] ?? join(isAbsolute(cache) ? cache : join(homedir(), ".cache"), "orch"),
);

// The reader of a pipe that has seen enough: nothing is wrong.
const leave = (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
};
process.stdout.on("error", leave);

const { runCommandLine } = await import("./cli/program.ts");

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
  parts: {
    serve: async () => (await import("./main.ts")).serve(),
    doctor: async (environment) => (await import("./doctor.ts")).doctor(environment),
    bridge: async (place) => (await import("./mcp/stdio.ts")).bridgeStdio(place),
    embed,
  },
});

async function embed() {
  const { startOrch } = await import("./main.ts");
  const { readConfig } = await import("./config.ts");
  const orch = await startOrch(readConfig(process.env));
  // Its client reaches it from this machine, whatever else it listens on.
  const url = orch.url.replace(/^http:\/\/(0\.0\.0\.0|\[::\])/, "http://127.0.0.1");
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= orch.stop());
  process.stdout.off("error", leave).on("error", () => void stop());
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void stop().then(() => process.exit(0)));
  }
  return { url, stop };
}
