// Examines the file of a SQLite database: whether it has room, whether it is damaged, and whether a part of it is missing.
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { open, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OrchError, wordsOf } from "../domain/errors.ts";
import type { Predecessor } from "./peers.ts";

/** A commit needs far less; the log of SQLite grows to a few megabytes between its checkpoints. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024;

/** Both reject with `database_unusable` and what is wrong. */
export type FileWatch = {
  readonly ensureInPlace: () => Promise<void>;
  readonly ensureRoom: () => Promise<void>;
};

export function watchFile(path: string, freeBytes = freeBytesAt): FileWatch {
  if ((statSync(path, { throwIfNoEntry: false })?.nlink ?? 1) > 1) {
    const message = `the database file ${path} has a second name (a hard link), under which another server would not be seen`;
    throw new OrchError("database_unusable", message, { fix: "remove the other name, or copy the file" });
  }
  const opened = identityAt(path);
  return {
    ensureInPlace: async () => {
      const found = await stat(path).catch(() => undefined);
      if (identityOf(found) === opened) return;
      const fix = "stop the server, put the file back, and start it";
      throw new OrchError("database_unusable", goneText(path), { fix });
    },
    ensureRoom: async () => {
      const free = await freeBytes(path);
      if (free >= LEAST_FREE_BYTES) return;
      const message = `the disk of the database has ${Math.floor(free / 1024)} kB left`;
      throw new OrchError("database_unusable", message, { fix: "free some space" });
    },
  };
}

/** How the files of a database were found, before it is opened. */
export type FoundFiles = { readonly has_database: boolean; readonly has_log: boolean };

export const findFiles = (path: string): FoundFiles => ({
  has_database: (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0,
  has_log: existsSync(`${path}-wal`),
});

/** Where a server keeps notes on what runs, within its data directory. */
const NOTES = ["running", "runners"];

/** What the start has to say when something of an earlier life is missing; null when nothing is. */
export function missingPart(found: FoundFiles, predecessor: Predecessor, data_dir: string | undefined): string | null {
  if (!found.has_database && data_dir !== undefined && NOTES.some((name) => existsSync(join(data_dir, name))))
    return "the database is new, but its data directory was used before: tasks and procedures of that time are missing. Was the file deleted or moved?";
  const wasCutOff = predecessor === "ended" || predecessor === "may_live";
  if (found.has_database && !found.has_log && wasCutOff)
    return "the last server of this database did not stop cleanly, and its write-ahead log (-wal) is missing: newer tasks and procedures may be missing. Was the file copied without it?";
  return null;
}

const CHUNK_BYTES = 1024 * 1024;

/** Reads the whole file, and says whether its content or its disk is at fault. A start that was refused waits for it. */
export function damageOf(path: string, found: string): Error {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  try {
    const file = openSync(path, "r");
    try {
      while (readSync(file, chunk, 0, CHUNK_BYTES, null) > 0);
    } finally {
      closeSync(file);
    }
    return new Error(`the file is damaged; restore a backup (${found})`);
  } catch (cause) {
    return new Error(`the disk failed: the file cannot be read (${wordsOf(cause)}); repair the disk first`, { cause });
  }
}

export const goneText = (path: string): string =>
  `the database file ${path} was deleted or replaced while this server uses it`;

export const identityAt = (path: string): string => identityOf(statSync(path, { throwIfNoEntry: false }));

const identityOf = (found: { readonly dev: number; readonly ino: number } | undefined): string =>
  found === undefined ? "none" : `${found.dev}:${found.ino}`;

async function freeBytesAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize;
}

// The mode of what orch stores: only its account may read it under any umask (D-217).

/** Makes the file where there is none. Why a file cannot be opened or changed, the error of its next use says. */
export async function makePrivate(path: string): Promise<void> {
  const file = await open(path, "a", 0o600).catch(() => null);
  await file?.chmod(0o600).catch(() => undefined);
  await file?.close();
}
