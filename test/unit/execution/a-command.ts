// Runs one real command in a home directory of its own, and tells whether processes live.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect } from "vitest";
import { baseEnvironment } from "../../../src/execution/environment.ts";
import { type Command, type CommandEnd, runCommand } from "../../../src/execution/run-command.ts";

let directory: string | undefined;

afterEach(() => {
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  directory = undefined;
});

/** The home directory of the running test. */
export function home(): string {
  directory ??= mkdtempSync(join(tmpdir(), "orch-command-"));
  return directory;
}

export function run(script: string, over: Partial<Command> = {}, abort = new AbortController().signal) {
  const cwd = home();
  const env = baseEnvironment({ home: cwd });
  return runCommand({ script, strict: true, cwd, env, limit_ms: 30_000, grace_ms: 5_000, ...over }, abort);
}

type Ran = Extract<CommandEnd, { ran: true }>;

export async function ran(script: string, over?: Partial<Command>, abort?: AbortSignal): Promise<Ran> {
  const end = await run(script, over, abort);
  if (!end.ran) throw new Error(end.reason);
  return end;
}

export async function timed<T>(work: Promise<T>): Promise<{ end: T; ms: number }> {
  const begun = performance.now();
  const end = await work;
  return { end, ms: performance.now() - begun };
}

/** A zombie does not: it is dead, and its parent has not taken note yet. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** The kernel may take a moment to end what was killed. */
export async function expectGone(pids: readonly number[]): Promise<void> {
  expect(pids.length).toBeGreaterThan(0);
  await expect.poll(() => pids.filter(isAlive), { timeout: 5_000 }).toEqual([]);
}

export const pidsIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);
