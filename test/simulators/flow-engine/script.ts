// A script for the simulated flow engine that does what its own arguments tell it, for tests of the engine itself.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the contract of a job makes the script do; without any of it, it returns what it was given, and its environment. */
export type Told = {
  readonly sleeps_ms?: number;
  readonly returns?: unknown;
  readonly throws?: string;
  /** A process of its own group that outlives the script; its id goes into the file. */
  readonly leaves_behind?: string;
};

const SOURCE = `
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
export async function main(task_contract, steps, context) {
  const { sleeps_ms = 0, returns, throws, leaves_behind } = task_contract;
  console.log("orch: step 0 cmd started");
  if (leaves_behind !== undefined) {
    const child = spawn("/bin/sleep", ["30"], { detached: true, stdio: "ignore" });
    writeFileSync(leaves_behind, String(child.pid));
  }
  await new Promise((done) => setTimeout(done, sleeps_ms));
  if (throws !== undefined) throw new TypeError(throws);
  console.log("orch: step 0 cmd passed exit_code=0 duration_ms=" + sleeps_ms);
  return returns === undefined ? { task_contract, steps, context, env: { ...process.env } } : returns;
}
`;

export async function writeScript(source = SOURCE): Promise<AsyncDisposable & { readonly path: string }> {
  const directory = await mkdtemp(join(tmpdir(), "flow-script-"));
  const path = join(directory, "run_steps.ts");
  await writeFile(path, source);
  return { path, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}

/** The arguments of a job whose contract directs the script. */
export const told = (task_contract: Told, context: object = {}, steps: readonly unknown[] = []) => ({
  task_contract,
  steps,
  context,
});
