// Gives free pages of a SQLite file back to its disk, a few at a time, so that no commit waits for long (D-382). PostgreSQL's autovacuum keeps
// its own pages in use.
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { usable } from "./database-errors.ts";
import { type Provider, pagesOf, rewriteFile, type Session } from "./sql.ts";

/** About 1.5 ms, for which everything else of the server waits. */
const SLICE_PAGES = 64;
const PAUSE_MS = 10;
/** Left for the checkpoints of the next tasks: they would make the file longer again. */
const KEPT_PAGES = 256;

type Deps = {
  readonly provider: Provider;
  readonly client: Session;
  readonly script: (sql: string) => Promise<void>;
  readonly ensureOwned: () => void;
};

/** Resolves with the bytes by which the file gets shorter when its log is moved into it. */
export const createShrink =
  ({ provider, client, script, ensureOwned }: Deps) =>
  async (signal?: AbortSignal): Promise<number> => {
    if (provider !== "sqlite") return 0;
    const begun = await usable(pagesOf(client));
    if (begun.mode !== INCREMENTAL) return 0;
    let { free } = begun;
    while (free > KEPT_PAGES && signal?.aborted !== true) {
      ensureOwned();
      const pages = Math.min(free - KEPT_PAGES, SLICE_PAGES);
      await usable(script(`PRAGMA incremental_vacuum(${pages})`));
      await sleep(PAUSE_MS);
      const left = (await usable(pagesOf(client))).free;
      // Others free pages and use them meanwhile.
      if (left >= free) break;
      free = left;
    }
    return Math.max(0, begun.free - free) * begun.size;
  };

// Whether a SQLite file can get shorter (D-382): each page of it knows which one refers to it. That is decided when the file is made.

const INCREMENTAL = 2;

/** Rewritten in about a second, and in memory meanwhile. */
const REWRITTEN_BYTES = 64 * 1024 * 1024;

/** Rewrites a small file of a version that did not make it so, once. A larger one stays as it is. */
export async function makeShrinkable(path: string, session: Session): Promise<void> {
  const { mode, bytes } = await pagesOf(session);
  if (mode === INCREMENTAL || bytes > REWRITTEN_BYTES || !(await hasRoom(path, bytes))) return;
  await rewriteFile(session);
}

/** For the log, which gets the whole file. */
async function hasRoom(path: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize > 4 * bytes;
}
