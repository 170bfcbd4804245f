// Which process groups run, as small files in <data_dir>/running, for the day on which the server and its runner are both
// killed and nobody is left to end them. A note is no record of anything else: no fsync, and it may be lost.
import { mkdirSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NoteGroup } from "../containment/group-containment.ts";
import { identityOf, type ProcessIdentity } from "../containment/process-stat.ts";

/** `owners` are the runner and its server: a group is left over when one of them is gone. */
export type GroupNote = ProcessIdentity & { readonly boot_id: string; readonly owners: readonly ProcessIdentity[] };

/** Of this start of the machine; null where the kernel does not tell. */
export function bootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}

/** For the process that starts the groups, whose parent is the server. */
export function noteGroupsIn(directory: string): NoteGroup {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const boot_id = bootId();
  const owners = [process.pid, process.ppid].map(identityOf).filter((owner) => owner !== null);
  return (pid) => {
    const identity = identityOf(pid);
    if (identity === null || boot_id === null) return () => {};
    const file = join(directory, `${pid}-${identity.started}.json`);
    const note: GroupNote = { ...identity, boot_id, owners };
    // The command runs already, and nobody waits for its safety net.
    const written = writeFile(file, JSON.stringify(note), { mode: 0o600 }).catch(warn);
    return () => void written.then(() => rm(file, { force: true })).catch(warn);
  };
}

const warn = (error: unknown) => process.emitWarning(`the notes on running commands are not kept: ${String(error)}`);
