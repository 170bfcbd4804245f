// A bubblewrap that is killed before it has answered its child leaves the child waiting for ever (D-229). Nothing has begun
// in such a namespace: what has begun ends with its parent.
import { readdir } from "node:fs/promises";
import { argumentsOf, statOf } from "../../../process/process-stat.ts";
import { isNamespace } from "./namespace-containment.ts";
import { signalProcess } from "./process-group.ts";

/** Ends those of this machine, and returns their pids. */
export async function endOrphanedNamespaces(): Promise<number[]> {
  const entries = await readdir("/proc").catch(() => []);
  const pids = entries.filter((entry) => /^\d+$/.test(entry)).map(Number);
  const orphans = pids.filter(isOrphan);
  for (const pid of orphans) signalProcess(pid, "SIGKILL");
  return orphans;
}

function isOrphan(pid: number): boolean {
  const stat = statOf(pid);
  // A child that has begun is a shell.
  if (stat?.name !== "bwrap" || !isNamespace(argumentsOf(pid))) return false;
  return stat.parent === 1 || statOf(stat.parent)?.name === "systemd";
}
