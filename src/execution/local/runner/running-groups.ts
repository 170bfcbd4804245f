// Records running process groups as small files in <data_dir>/running, for the case that the server and its runner are both
// killed (D-063). There is no fsync; a record may be lost.
import { mkdirSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NoteGroup } from "../containment/group-containment.ts";
import { identityOf, type ProcessIdentity } from "../containment/process-stat.ts";

/** `owners` are the runner and its server: a group is left over when one of them is gone. */
export type GroupNote = ProcessIdentity & { readonly boot_id: string; readonly owners: readonly ProcessIdentity[] };

/** Identifies this boot of the machine; null where the kernel does not provide it. */
export function bootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}

/** For the process that starts the groups; its parent is the server. */
export function noteGroupsIn(directory: string): NoteGroup {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const boot_id = bootId();
  const owners = [process.pid, process.ppid].map(identityOf).filter((owner) => owner !== null);
  return (pid) => {
    const identity = identityOf(pid);
    if (identity === null || boot_id === null) return () => {};
    const file = join(directory, `${pid}-${identity.started}.json`);
    const note: GroupNote = { ...identity, boot_id, owners };
    // The command runs already, and must not wait for its record.
    const written = writeFile(file, JSON.stringify(note), { mode: 0o600 }).catch(warn);
    return () => void written.then(() => rm(file, { force: true })).catch(warn);
  };
}

const warn = (error: unknown) => process.emitWarning(`cannot record the running commands: ${String(error)}`);
