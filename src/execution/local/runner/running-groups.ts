// Records running process groups as small files in <data_dir>/running, for the case that the server and its runner are both
// killed (D-063). There is no fsync; a record may be lost.
import { mkdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { bootId, identityOf, type ProcessIdentity } from "../../../process/process-stat.ts";
import type { NoteGroup } from "../containment/group-containment.ts";

/** `owners` are the runner and its server: a group is left over when one of them is gone. */
export type GroupNote = ProcessIdentity & { readonly boot_id: string; readonly owners: readonly ProcessIdentity[] };

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
    // In one turn: a record that waits its turn is lost when this process is stopped between the start and the record.
    const isWritten = write(file, note);
    return () => void (isWritten && rm(file, { force: true }).catch(warn));
  };
}

function write(file: string, note: GroupNote): boolean {
  try {
    writeFileSync(file, JSON.stringify(note), { mode: 0o600 });
    return true;
  } catch (error) {
    warn(error);
    return false;
  }
}

const warn = (error: unknown) => process.emitWarning(`cannot record the running commands: ${String(error)}`);
