// Gives free pages of a SQLite file back to its disk, a few at a time, so that no commit waits for long (D-382). PostgreSQL's autovacuum keeps
// its own pages in use.
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Provider, SqlConnection } from "./sql.ts";
import { usable } from "./sql.ts";

/** About 1.5 ms, for which everything else of the server waits. */
const SLICE_PAGES = 64;
const PAUSE_MS = 10;
/** Left for the checkpoints of the next tasks: they would make the file longer again. */
const KEPT_PAGES = 256;

type Deps = {
  readonly provider: Provider;
  readonly connection: SqlConnection;
  readonly ensureOwned: () => void;
};

/** Resolves with the bytes by which the file gets shorter when its log is moved into it. */
export const createShrink =
  ({ provider, connection, ensureOwned }: Deps) =>
  async (signal?: AbortSignal): Promise<number> => {
    if (provider !== "sqlite") return 0;
    const begun = await usable(pagesOf(connection));
    if (begun.mode !== INCREMENTAL) return 0;
    let { free } = begun;
    while (free > KEPT_PAGES && signal?.aborted !== true) {
      ensureOwned();
      const pages = Math.min(free - KEPT_PAGES, SLICE_PAGES);
      await usable(connection.script(`PRAGMA incremental_vacuum(${pages})`));
      await sleep(PAUSE_MS);
      const left = (await usable(pagesOf(connection))).free;
      // Others free pages and use them meanwhile.
      if (left >= free) break;
      free = left;
    }
    return Math.max(0, begun.free - free) * begun.size;
  };

// Whether a SQLite file can get shorter (D-382): each page of it knows which one refers to it. That is decided when the file is made.

/** Of a new file, before anything is written to it. */
export const SHRINKABLE = "PRAGMA auto_vacuum = INCREMENTAL";
const INCREMENTAL = 2;

/** Rewritten in about a second, and in memory meanwhile. */
const REWRITTEN_BYTES = 64 * 1024 * 1024;

type Pages = { readonly mode: number; readonly free: number; readonly size: number; readonly bytes: number };

const PAGES = `SELECT auto_vacuum AS mode, freelist_count AS free, page_size AS size, page_count * page_size AS bytes
  FROM pragma_auto_vacuum(), pragma_freelist_count(), pragma_page_size(), pragma_page_count()`;

async function pagesOf(connection: SqlConnection): Promise<Pages> {
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
