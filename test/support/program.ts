// The program `orch` as a process that ends by itself, or is killed at a named point of its work.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { orderIn } from "./kill-at.ts";
import { environmentOf } from "./orch-process.ts";

const PROGRAM = join(import.meta.dirname, "../../src/orch.ts");
const KILL_AT = join(import.meta.dirname, "kill-at.ts");

export type Ended = { readonly exit: number | null; readonly stdout: string; readonly stderr: string };

type Run = { readonly data_dir: string; readonly env?: Readonly<Record<string, string>>; readonly kill_at?: string };

/** `exit` is null where a signal ended it. */
export function runProgram(args: readonly string[], { data_dir, env = {}, kill_at }: Run): Promise<Ended> {
  if (kill_at !== undefined) writeFileSync(orderIn(data_dir), kill_at);
  const options = { env: { ...environmentOf(data_dir), KILL_DIR: data_dir, ...env } };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["--import", KILL_AT, PROGRAM, ...args],
      options,
      (_error, stdout, stderr) => resolve({ exit: child.exitCode, stdout, stderr }),
    );
  });
}
