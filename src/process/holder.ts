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
export const hasEnded = (holder: Holder, self: Holder = thisProcess()): boolean =>
  isInSight(holder, self) && !isAlive(holder);

/** True only when it is certain. */
export const runsHere = (holder: Holder, self: Holder = thisProcess()): boolean =>
  isInSight(holder, self) && isAlive(holder);

/** Whether this process could see that one: on the same machine since the same start, and in the same pid namespace. */
const isInSight = (holder: Holder, { boot_id, pid_namespace }: Holder): boolean =>
  boot_id !== null && pid_namespace !== null && holder.boot_id === boot_id && holder.pid_namespace === pid_namespace;

function pidNamespace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null;
  }
}
