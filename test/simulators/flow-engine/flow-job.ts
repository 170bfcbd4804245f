// A job of the flow as a worker of the engine runs it: in a process of bun of its own, with its arguments in a file, its
// result in another, and its log on its output. A worker that ends a job kills that process and nothing else.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const FLOW_DIR = join(import.meta.dirname, "../../../src/execution/flow/f/orch/execute_task_steps.flow");
export const SCRIPT = join(FLOW_DIR, "run_steps.ts");
const DRIVER = join(import.meta.dirname, "flow-job-process.ts");

const { resolve } = createRequire(import.meta.url);
const MACHINE = `${process.platform}-${process.arch === "arm64" ? "aarch64" : process.arch}`;
const PACKAGED = join(dirname(resolve(`@oven/bun-${MACHINE}/package.json`)), "bin/bun");
const MOVED = join(dirname(resolve("bun/package.json")), "bin/bun.exe");

/** The binary comes in a package of its own for each platform; nothing is downloaded. An npm older than `allowScripts` runs the install script
 *  of bun, which moves it (D-388). BUN names another release to try. */
export const BUN = process.env["BUN"] ?? (existsSync(PACKAGED) ? PACKAGED : MOVED);

export type FlowJob = {
  readonly child: ChildProcess;
  /** Everything it has logged so far. */
  readonly log: () => string;
  /** Null when the process ended without leaving one. */
  readonly ended: Promise<{ readonly success: boolean; readonly result: unknown } | null>;
};

export type FlowArguments = { readonly task_contract: unknown; readonly steps: unknown; readonly context: unknown };

/** Runs the shipped script, unless it is given another. */
export async function startFlowJob(
  args: FlowArguments,
  env: Readonly<Record<string, string>> = {},
  script: string = SCRIPT,
): Promise<FlowJob> {
  const directory = await mkdtemp(join(tmpdir(), "flow-job-"));
  await copyFile(script, join(directory, "main.ts"));
  await writeFile(join(directory, "args.json"), JSON.stringify(args));
  const surroundings = { PATH: process.env["PATH"] ?? "", HOME: "/tmp", ...env };
  const child = spawn(BUN, ["run", DRIVER, directory], {
    cwd: directory,
    env: surroundings,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (log += text));
  const ended = once(child, "close").then(async () => {
    const text = await readFile(join(directory, "result.json"), "utf8").catch(() => null);
    await rm(directory, { recursive: true, force: true });
    return text === null ? null : JSON.parse(text);
  });
  return { child, log: () => log, ended };
}
