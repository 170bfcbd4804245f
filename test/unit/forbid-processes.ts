// Setup of the tier `unit`: fails a test that starts a process, uses a socket or opens a database.
import child_process from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { DatabaseSync } from "node:sqlite";
import { afterEach } from "vitest";

const state = globalThis as typeof globalThis & { forbidden_calls?: string[] };

/** The methods that every process, socket and database of a test uses, each with its action. */
const GATES: readonly (readonly [object, string, string])[] = [
  [child_process.ChildProcess.prototype, "spawn", "starts a process"],
  [child_process, "spawnSync", "starts a process"],
  [child_process, "execFileSync", "starts a process"],
  [child_process, "execSync", "starts a process"],
  [net.Server.prototype, "listen", "listens on a socket"],
  [net.Socket.prototype, "connect", "connects a socket"],
  [DatabaseSync.prototype, "open", "opens a database"],
];

/** Records the call and throws. The record fails the test when the code under test catches the error. */
function forbid(calls: string[], what: string): never {
  calls.push(what);
  throw new Error(`A unit test ${what}.`);
}

// The files of a worker share one process, and this file runs for each of them.
if (state.forbidden_calls === undefined) {
  const calls: string[] = [];
  state.forbidden_calls = calls;
  for (const [owner, name, what] of GATES) Reflect.set(owner, name, () => forbid(calls, what));
  // The driver of SQLite loads its library when it opens its first database.
  const { dlopen } = process;
  process.dlopen = (module: object, file: string, ...flags: []) =>
    /sqlite/.test(file) ? forbid(calls, "opens a database") : dlopen(module, file, ...flags);
  syncBuiltinESMExports();
}

afterEach(() => {
  const calls = state.forbidden_calls?.splice(0) ?? [];
  if (calls.length === 0) return;
  throw new Error(
    `A unit test ${calls.join(", ")}. It belongs to test/integration, or to test/contract for bytes on the wire.`,
  );
});
