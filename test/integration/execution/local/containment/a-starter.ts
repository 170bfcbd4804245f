// Commands that the starter starts, and what is seen of it from outside.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { createHidingSpawn, hidingBinds } from "../../../../../src/execution/local/confinement/hiding.ts";
import { createGroupContainment } from "../../../../../src/execution/local/containment/group-containment.ts";
import { createNamespaceContainment } from "../../../../../src/execution/local/containment/namespace-containment.ts";
import { keepStarter } from "../../../../../src/execution/local/containment/starter.ts";
import { STARTER } from "../../../../../src/execution/local/containment/starter-script.ts";
import { baseEnvironment } from "../../../../../src/execution/local/environment.ts";
import { createRunCommand, type ShellCommand } from "../../../../../src/execution/local/run-command.ts";
import { statOf } from "../../../../../src/process/process-stat.ts";
import { canSandbox } from "../a-command.ts";
import { MODES } from "../confinement/confined-commands.ts";

export type Over = Partial<ShellCommand>;

/** As on a machine where nothing starts them from within. */
export const none: typeof keepStarter = () => ({
  start: async () => null,
  prepare: () => undefined,
  rest: () => undefined,
  close: () => undefined,
});

/** Directories for the tests of a file, and what runs commands there with `hidden` hidden. */
export function openPlaces() {
  const directory = mkdtempSync(join(tmpdir(), "orch-starter-"));
  const hidden = join(directory, "hidden");
  const cwd = join(directory, "place of\nwork");
  for (const path of [hidden, cwd]) mkdirSync(path);
  symlinkSync("loop", join(directory, "loop"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const env = {
    ...baseEnvironment({ home: directory }),
    ORCH_PAYLOAD: '{"a":"line one\\nline two","b":"$(id) `id` \\\\"}',
    ORCH_TARGET_ODD: "\u00e9 = 'x' \" \t\n",
    ORCH_TARGET_EMPTY: "",
  };
  const inGroup = (keep = keepStarter) => createGroupContainment(undefined, createHidingSpawn([hidden], keep));
  const inNamespace = (keep = keepStarter) => createNamespaceContainment(hidingBinds([hidden]), keep);
  const containments = [
    ["a process group", MODES[0]?.fault === null, inGroup],
    ["a pid namespace", canSandbox, inNamespace],
  ] as const;
  const runnerIn = (create: (typeof containments)[number][2], keep = keepStarter) => {
    const run = createRunCommand({ containment: create(keep) });
    return async (script: string, over: Over = {}, abort = new AbortController().signal) => {
      const end = await run({ script, strict: true, cwd, env, limit_ms: 20_000, grace_ms: 500, ...over }, abort);
      if (!end.ran) return { reason: end.reason };
      const { stdout, stderr, ...ending } = end;
      return { ...ending, stdout: stdout.text, stderr: stderr.text };
    };
  };
  return { directory, hidden, env, containments, runnerIn };
}

export function childrenOf(pid: number | string): string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
export const below = (pid: number | string): string[] => childrenOf(pid).flatMap((child) => [child, ...below(child)]);

/** Empty when it has ended, also where nothing has waited for it yet. */
export function titleOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
export const isRunning = (pid: string): boolean => titleOf(pid) !== "";
export const isStarter = (pid: string): boolean => titleOf(pid).startsWith(STARTER);
const starters = (): string[] => below(process.pid).filter(isStarter);

/** Those of starters that begin after this, without what an earlier one makes later. */
export function startersFromNow(): () => string[] {
  const first = () => starters().filter((pid) => !isStarter(String(statOf(Number(pid))?.parent)));
  const before = new Set(first());
  return () =>
    first()
      .filter((pid) => !before.has(pid))
      .flatMap((pid) => [pid, ...below(pid).filter(isStarter)]);
}
