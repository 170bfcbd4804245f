// Says which process holds something that outlives it, such as a database, so that another process can find out later
// whether it has ended. Pids repeat in every pid namespace, and a restart of the machine begins them anew.
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";
import { bootId, identityOf, isAlive } from "./process-stat.ts";

export const Holder = z.object({
  host: z.string(),
  pid: z.int(),
  started: z.string(),
  /** Null where the kernel, or the container, does not provide it. */
  boot_id: z.string().nullable(),
  pid_namespace: z.string().nullable(),
});
export type Holder = z.infer<typeof Holder>;

export function thisProcess(): Holder {
  const { pid } = process;
  return {
    host: hostname(),
    pid,
    started: identityOf(pid)?.started ?? "",
    boot_id: bootId(),
    pid_namespace: pidNamespace(),
  };
}

/** True only when it is certain. A process on another machine, or in another container, may still run. */
export function hasEnded(holder: Holder, self: Holder = thisProcess()): boolean {
  const { boot_id, pid_namespace } = self;
  if (boot_id === null || pid_namespace === null) return false;
  return holder.boot_id === boot_id && holder.pid_namespace === pid_namespace && !isAlive(holder);
}

/** True only when it is certain: a process of this machine and this pid namespace that is alive. */
export function runsHere(holder: Holder, self: Holder = thisProcess()): boolean {
  const { boot_id, pid_namespace } = self;
  if (boot_id === null || pid_namespace === null) return false;
  return holder.boot_id === boot_id && holder.pid_namespace === pid_namespace && isAlive(holder);
}

function pidNamespace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null;
  }
}
