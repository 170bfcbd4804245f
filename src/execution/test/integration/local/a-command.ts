// Runs one real command in its own home directory, in a process group or a pid namespace, and lists living processes.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { IN_PIDS } from "../../../../../test/support/sandboxes.ts";
import { baseEnvironment } from "../../../local/environment.ts";
import { type CommandEnd, createRunCommand, type ShellCommand } from "../../../local/run-command.ts";
import { createLaunch } from "../../../sandbox/launcher.ts";
import { abilityHere } from "../../../sandbox/machine.ts";
import { NO_LIMITS, PLAIN_STEP, type Sandbox, type StepLimits } from "../../../sandbox/sandbox.ts";
import { createSpaces } from "../../../sandbox/spaces.ts";

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

export function commandsIn(sandbox: Sandbox, limits: StepLimits = NO_LIMITS) {
  const launch = createLaunch({ spaces: createSpaces() });
  const runCommand = createRunCommand({ plain: { ...sandbox, limits }, launch });
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
  return { sandbox, sandboxed: sandbox.processes === "pid_namespace", run, ran };
}

/** When it is false, tests that need a pid namespace are skipped. */
export const { sandboxed: canSandbox } = await abilityHere("auto", NO_LIMITS);

export function inEachContainment(suite: (commands: ReturnType<typeof commandsIn>) => void): void {
  describe("in a process group", () => suite(commandsIn(PLAIN_STEP)));
  describe.skipIf(!canSandbox)("in a pid namespace", () => suite(commandsIn(IN_PIDS)));
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

let marks = 0;
/** A sleep duration by which the processes of one test are found, also from outside their namespace. */
export const aMark = () => `61.${process.pid}${++marks}`;
export const markGone = (mark: string) => expect.poll(() => pidsOf(mark), { timeout: 20_000 }).toEqual([]);
export const markUp = (mark: string, count = 1) =>
  expect.poll(() => pidsOf(mark).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

export const pidsIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);
