// Whether a SQLite file can get shorter (D-382): each page of it knows which one refers to it. That is decided when the file is made.
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { SqlConnection } from "./sql-connection.ts";

/** Of a new file, before anything is written to it. */
export const SHRINKABLE = "PRAGMA auto_vacuum = INCREMENTAL";
export const INCREMENTAL = 2;

/** Rewritten in about a second, and in memory meanwhile. */
const REWRITTEN_BYTES = 64 * 1024 * 1024;

type Pages = { readonly mode: number; readonly free: number; readonly size: number; readonly bytes: number };

const PAGES = `SELECT auto_vacuum AS mode, freelist_count AS free, page_size AS size, page_count * page_size AS bytes
  FROM pragma_auto_vacuum(), pragma_freelist_count(), pragma_page_size(), pragma_page_count()`;

export async function pagesOf(connection: SqlConnection): Promise<Pages> {
  const [row] = await connection.rows<Pages>({ sql: PAGES, args: [] });
  if (row === undefined) throw new Error("SQLite did not say how many pages the file has");
  return { mode: Number(row.mode), free: Number(row.free), size: Number(row.size), bytes: Number(row.bytes) };
}

/** Rewrites a small file of a version that did not make it so, once. A larger one stays as it is. */
export async function makeShrinkable(path: string, connection: SqlConnection): Promise<void> {
  const { mode, bytes } = await pagesOf(connection);
  if (mode === INCREMENTAL || bytes > REWRITTEN_BYTES || !(await hasRoom(path, bytes))) return;
  const run = (sql: string) => connection.run({ sql, args: [] });
  // The directory for temporary files may be a small one.
  await run("PRAGMA temp_store = MEMORY");
  try {
    await run(SHRINKABLE);
    await run("VACUUM");
  } finally {
    await run("PRAGMA temp_store = DEFAULT");
  }
}

/** For the log, which gets the whole file. */
async function hasRoom(path: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize > 4 * bytes;
}
