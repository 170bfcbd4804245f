// Runs one real command in its own home directory, in a process group or a pid namespace, and lists living processes.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { chooseSandbox } from "../../../../src/execution/local/containment/choose-sandbox.ts";
import type { Containment } from "../../../../src/execution/local/containment/containment.ts";
import { createGroupContainment } from "../../../../src/execution/local/containment/group-containment.ts";
import { namespaceContainment } from "../../../../src/execution/local/containment/namespace-containment.ts";
import { baseEnvironment } from "../../../../src/execution/local/environment.ts";
import { type CommandEnd, createRunCommand, type ShellCommand } from "../../../../src/execution/local/run-command.ts";
import { NO_LIMITS, type StepLimits } from "../../../../src/execution/local/step-limits.ts";

let directory: string | undefined;

/** The home directory of the running test. */
export function home(): string {
  if (directory !== undefined) return directory;
  const made = mkdtempSync(join(tmpdir(), "orch-command-"));
  onTestFinished(() => {
    directory = undefined;
    // What a command has left may still write there for a moment.
    rmSync(made, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  });
  directory = made;
  return made;
}

type Ran = Extract<CommandEnd, { ran: true }>;

export function commandsIn(containment: Containment, limits: StepLimits = NO_LIMITS) {
  const runCommand = createRunCommand({ containment, limits });
  const run = (script: string, over: Partial<ShellCommand> = {}, abort = new AbortController().signal) => {
    const cwd = home();
    const env = baseEnvironment({ home: cwd });
    return runCommand({ script, strict: true, cwd, env, limit_ms: 30_000, grace_ms: 5_000, ...over }, abort);
  };
  const ran = async (script: string, over?: Partial<ShellCommand>, abort?: AbortSignal): Promise<Ran> => {
    const end = await run(script, over, abort);
    if (!end.ran) throw new Error(end.reason);
    return end;
  };
  return { containment, sandboxed: containment.name === "pid_namespace", run, ran };
}

export const group = createGroupContainment();

/** When it is false, tests that need a pid namespace are skipped. */
export const { sandboxed: canSandbox } = await chooseSandbox("auto", NO_LIMITS);

export function inEachContainment(suite: (commands: ReturnType<typeof commandsIn>) => void): void {
  describe("in a process group", () => suite(commandsIn(group)));
  describe.skipIf(!canSandbox)("in a pid namespace", () => suite(commandsIn(namespaceContainment)));
}

export async function timed<T>(work: Promise<T>): Promise<{ end: T; ms: number }> {
  const begun = performance.now();
  const end = await work;
  return { end, ms: performance.now() - begun };
}

/** A zombie does not count as alive. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** The kernel may take a moment to end a killed process. */
export async function expectGone(pids: readonly number[]): Promise<void> {
  expect(pids.length).toBeGreaterThan(0);
  await expect.poll(() => pids.filter(isAlive), { timeout: 5_000 }).toEqual([]);
}

/** The processes in any pid namespace that have this argument. */
export function pidsOf(argument: string): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && argumentsOf(entry).includes(argument))
    .map(Number)
    .filter(isAlive);
}

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

export const pidsIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);
