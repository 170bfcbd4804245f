// Gives free pages of a SQLite file back to its disk, a few at a time, so that no commit waits for long (D-382). PostgreSQL's autovacuum keeps
// its own pages in use.
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";
import { usable } from "./fault.ts";
import { INCREMENTAL, pagesOf } from "./shrinkable.ts";

/** About 1.5 ms, for which everything else of the server waits. */
const SLICE_PAGES = 64;
const PAUSE_MS = 10;
/** Left for the checkpoints of the next tasks: they would make the file longer again. */
const KEPT_PAGES = 256;

type Deps = Pick<Database, "provider" | "connection" | "ensureOwned">;

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
