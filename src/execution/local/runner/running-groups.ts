// Records running process groups as small files in <data_dir>/running, for the case that the server and its runner are both
// killed (D-063). There is no fsync; a record may be lost.
import { randomUUID } from "node:crypto";
import { mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { bootId, identityOf, type ProcessIdentity } from "../../../process/process-stat.ts";

/** `owners` are the runner and its server: a group is left over when one of them is gone. */
export type GroupNote = ProcessIdentity & { readonly boot_id: string; readonly owners: readonly ProcessIdentity[] };

/** A record is padded to this, so that the next one in its file covers it. */
const BYTES = 512;

/**
 * For the process that starts the groups; its parent is the server. A file serves one command after the other and is not
 * struck out between them: the record of a group that has ended is one of no process. At the exit, files of no running group are removed.
 */
export function noteGroupsIn(directory: string): (pid: number) => () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const boot_id = bootId();
  const owners = [process.pid, process.ppid].map(identityOf).filter((owner) => owner !== null);
  const files = new Map<number, string>();
  const free: number[] = [];
  // A group that still runs keeps its record: the server ends it, or the next start.
  process.once("exit", () => {
    for (const file of free.map((fd) => files.get(fd))) if (file !== undefined) rmSync(file, { force: true });
  });
  const newFile = (): number => {
    const file = join(directory, `${randomUUID()}.json`);
    const fd = openSync(file, "wx", 0o600);
    files.set(fd, file);
    return fd;
  };
  return (pid) => {
    const identity = identityOf(pid);
    if (identity === null || boot_id === null) return () => {};
    const note: GroupNote = { ...identity, boot_id, owners };
    try {
      const file = free.pop() ?? newFile();
      // In one turn: a record that waits its turn is lost when this process is stopped between the start and the record.
      writeSync(file, JSON.stringify(note).padEnd(BYTES), 0);
      let isFree = false;
      return () => {
        if (!isFree) free.push(file);
        isFree = true;
      };
    } catch (error) {
      process.emitWarning(`cannot record the running commands: ${String(error)}`);
      return () => {};
    }
  };
}
