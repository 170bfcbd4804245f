// Controls of checks on this machine, for the tests of them.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createControl, createControlProbe } from "../../../../local/control/control.ts";
import type { ControlCheck, ControlLook, RunControl } from "../../../../local/control/world.ts";
import { baseEnvironment } from "../../../../local/environment.ts";
import { createRunCommand, type RunCommand } from "../../../../local/run-command.ts";
import { PLAIN_STEP } from "../../../../sandbox/sandbox.ts";

const CHECKOUT = join(import.meta.dirname, "../../../../../..");
const runCommand = createRunCommand();
/** With a limit that a busy machine does not reach. */
const runControl: RunControl = createControl({ runCommand, hidden: [CHECKOUT], limit_ms: 15_000 });
export const brief: RunControl = createControl({ runCommand, hidden: [CHECKOUT], limit_ms: 4_000 });
export const impatient: RunControl = createControl({ runCommand, limit_ms: 1_500 });

/** Null where a world can be made. Without one, these tests have nothing to look at. */
export const fault = await createControlProbe(runControl)();

export const check = (script: string, over: Partial<ControlCheck> = {}): ControlCheck => ({
  script,
  env: baseEnvironment({ home: "/root" }),
  directory: "/srv/app",
  masked: [],
  programs: [],
  ...over,
});

export const look = (script: string, over: Partial<ControlCheck> = {}): Promise<ControlLook> =>
  runControl(check(script, over), new AbortController().signal);

/** The answer, and in which world it was found. */
export async function answer(script: string, over: Partial<ControlCheck> = {}): Promise<string> {
  const { answer, world, reason } = await look(script, over);
  return [answer, world === "bare" ? "bare" : "", reason ?? ""].filter((word) => word !== "").join(" ");
}

const PLACES = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
export const has = (program: string): boolean => PLACES.some((place) => existsSync(join(place, program)));

/** Runs the text in the place of each command: as where the program that makes namespaces fails, or is not there. */
export const failing =
  (script: string): RunCommand =>
  (command, abort) =>
    runCommand({ ...command, script, sandbox: PLAIN_STEP }, abort);

const AT_ONCE = 3;

/** Applies `act` to all, some at a time. */
export async function each<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...items.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next[0]] = await act(next[1]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
