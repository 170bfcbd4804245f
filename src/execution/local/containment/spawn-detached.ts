// Starts a program in its own session and process group. The processes of steps are spawned here only.
import { type ChildProcess, type IOType, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import type { NeverBegan, ProcessContext } from "./containment.ts";

export type Argv = readonly [string, ...string[]];
export type Started = { readonly child: ChildProcess; readonly pid: number };

export async function spawnDetached(
  [program, ...args]: Argv,
  { cwd, env }: ProcessContext,
  stdio: (IOType | number)[],
): Promise<Started | NeverBegan> {
  try {
    const child = spawn(program, args, { cwd, env, detached: true, stdio });
    if (child.pid === undefined) throw (await once(child, "error"))[0];
    return { child, pid: child.pid };
  } catch (error) {
    // The message differs between runtimes, the code does not.
    const { code, message } = error as NodeJS.ErrnoException;
    return { fault: code === undefined ? message : `spawn ${program} ${code}` };
  }
}

export function pipeOf(child: ChildProcess, index: number): Readable {
  const stream = child.stdio[index];
  if (stream instanceof Readable) return stream;
  throw new TypeError(`stdio ${index} of the process is no pipe`);
}
