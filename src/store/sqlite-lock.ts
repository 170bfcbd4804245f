// The lock of a SQLite file (D-047): an exclusive transaction on a tiny database beside it.
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { OrchError } from "../domain/errors.ts";
import { makePrivate } from "./sqlite-file.ts";

const pidFileOf = (path: string): string => `${path}.pid`;

/**
 * Locks a tiny database beside the real one by an exclusive transaction. `<path>.pid` names the holder. When the file of the
 * lock was deleted or replaced, `check` locks the one that is there now.
 */
export async function lockFile(path: string): Promise<Lock> {
  let held = await lockOnce(path);
  return {
    identity: held.identity,
    check: async () => {
      if ((await identityOf(lockPathOf(path))) === held.identity) return true;
      const again = await lockOnce(path).catch(() => null);
      if (again === null) return false;
      await held.adapter.dispose();
      held = again;
      return true;
    },
    async release() {
      await rm(pidFileOf(path), { force: true });
      await held.adapter.dispose();
    },
  };
}

const lockPathOf = (path: string): string => `${path}-lock`;

async function lockOnce(path: string) {
  await makePrivate(lockPathOf(path));
  const adapter = await new PrismaBetterSqlite3({ url: lockPathOf(path), timeout: 0 }).connect();
  try {
    await adapter.executeScript("BEGIN EXCLUSIVE");
  } catch (error) {
    await adapter.dispose();
    if (!String(error).includes("SocketTimeout") && !String(error).includes("locked")) throw error;
    const pid = await readFile(pidFileOf(path), "utf8").catch(() => "unknown");
    throw inUse(`pid ${pid.trim()}`, error);
  }
  await makePrivate(pidFileOf(path));
  await writeFile(pidFileOf(path), `${process.pid}\n`);
  return { adapter, identity: await identityOf(lockPathOf(path)) };
}

/** The file at the path: a path may lead to another one later. Null when there is none. */
async function identityOf(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? null : `${found.dev}:${found.ino}:${found.birthtimeNs}`;
}

/**
 * The live process that claims the file, null when there is none. It does not try the lock, because a server that starts at
 * this moment would be refused.
 */
export async function holderOfFile(path: string): Promise<string | null> {
  const pid = Number(await readFile(pidFileOf(path), "utf8").catch(() => "0"));
  return Number.isInteger(pid) && pid > 0 && isAlive(pid) ? `pid ${pid}` : null;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

// Refuses a second orch server at start (D-047). The operating system or the database server holds the lock for this process
// and releases it when the process ends, even on SIGKILL. A lock can be lost: what fences is the epoch (peers.ts).

export type Lock = {
  /** Identifies what is locked, where a second process can lock it only after the first has ended; else null. */
  readonly identity: string | null;
  /** Takes the lock again when it was lost. Whether it is held; never rejects. */
  readonly check: () => Promise<boolean>;
  readonly release: () => Promise<void>;
};

export const inUse = (holder: string, cause?: unknown): OrchError =>
  new OrchError("database_unusable", `another orch server (${holder}) is using this database`, {
    fix: "stop it first, or give this server its own database",
    holder,
    cause,
  });
