// Looks whether a SQLite file is still the one that was opened, and has room: SQLite goes on with a file that was deleted,
// and everything is lost with the end of the process.
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { OrchError } from "../domain/errors.ts";
import { identityOf } from "./sqlite-lock.ts";

/** A commit needs far less; the log of SQLite grows to a few megabytes between its checkpoints. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024;

/** The returned function rejects with `database_unusable` and what is wrong. */
export async function watchFile(path: string, freeBytes = freeBytesAt): Promise<() => Promise<void>> {
  const opened = await identityOf(path);
  return async () => {
    if ((await identityOf(path)) !== opened) {
      const message = `the database file ${path} was deleted or replaced while this server uses it`;
      throw new OrchError("database_unusable", message, { fix: "stop the server, put the file back, and start it" });
    }
    const free = await freeBytes(path);
    if (free >= LEAST_FREE_BYTES) return;
    const message = `the disk of the database has ${Math.floor(free / 1024)} kB left`;
    throw new OrchError("database_unusable", message, { fix: "free some space" });
  };
}

async function freeBytesAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize;
}
