// Runs confined commands as this account or as the account `nobody`, and finds out which of this works here.

import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe } from "vitest";
import { anAgentSandbox } from "../../../../../../test/support/sandboxes.ts";
import { baseEnvironment } from "../../../../local/environment.ts";
import { type CommandEnd, createRunCommand, type ShellCommand } from "../../../../local/run-command.ts";
import { createLaunch, type MakeSpaces } from "../../../../sandbox/launcher.ts";
import { NO_LIMITS, type Sandbox, type StepLimits } from "../../../../sandbox/sandbox.ts";
import { createSpaces } from "../../../../sandbox/spaces.ts";
import type { Order } from "../../../support/confined-process.ts";
import { home } from "../a-command.ts";

export const PROCESS = join(import.meta.dirname, "../../../support/confined-process.ts");
export const NOBODY = 65_534;
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--inh-caps=-all"];

/** Runs the commands in a process of the account; resolves with their ends. */
export async function ordered(order: Order, as_nobody = false): Promise<CommandEnd[]> {
  const node = [process.execPath, PROCESS, JSON.stringify(order)];
  const [program = "", ...args] = as_nobody ? [...AS_NOBODY, ...node] : node;
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout);
}

type Mode = { readonly name: string; readonly as_nobody: boolean };

export const isRoot = process.getuid?.() === 0;
const ALL: readonly Mode[] = [
  { name: isRoot ? "root" : "this account", as_nobody: false },
  { name: "an ordinary account", as_nobody: true },
];

async function faultIn({ as_nobody }: Mode): Promise<string | null> {
  if (as_nobody && !isRoot) return "only root can be another account";
  const [end] = await ordered({ sandbox: anAgentSandbox(), cwd: "/", env: {}, scripts: ["true"] }, as_nobody);
  return end?.ran === true ? null : (end?.reason ?? "it did not end");
}

/** Each mode with the reason why it cannot be tested here, or null. */
export const MODES = await Promise.all(ALL.map(async (mode) => ({ ...mode, fault: await faultIn(mode) })));

/** The directory of the test may be written. */
export const confinedTo = (over: Partial<Sandbox> = {}): Sandbox => anAgentSandbox({ writable: [home()], ...over });

/** Creates files in the home directory of the test. A name that ends with a slash is a directory. */
export function files(...names: readonly string[]): string[] {
  return names.map((name) => {
    const path = join(home(), name);
    mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(path, `this is ${name}\n`);
    return path;
  });
}

export function confined(limits: StepLimits = NO_LIMITS, spaces: MakeSpaces = createSpaces()) {
  const runCommand = createRunCommand({ launch: createLaunch({ spaces }) });
  const run = (script: string, over: Partial<ShellCommand> = {}, abort = new AbortController().signal) => {
    const around = { cwd: home(), env: baseEnvironment({ home: homedir() }), limit_ms: 30_000, grace_ms: 5_000 };
    return runCommand({ script, strict: true, ...around, sandbox: confinedTo({ limits }), ...over }, abort);
  };
  const ran = async (script: string, over?: Partial<ShellCommand>, abort?: AbortSignal) => {
    const end = await run(script, over, abort);
    if (!end.ran) throw new Error(end.reason);
    return end;
  };
  return { run, ran };
}

const [{ fault = "not tried" } = {}] = MODES;

/** Where no command can be confined, the suite is skipped and the title holds the reason. */
export function whereConfined(suite: () => void): void {
  describe.skipIf(fault !== null)(`a confined command${fault === null ? "" : ` (${fault})`}`, suite);
}
