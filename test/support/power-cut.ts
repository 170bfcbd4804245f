// A store on a SQLite file whose flushes a test watches, and the file that a loss of power would leave at any of them: all of
// the database, and of the write-ahead log what the flush had found.
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "../../src/ports.ts";
import { linked, openDatabase, transactionsOf } from "../../src/store/database.ts";
import { PrismaClient } from "../../src/store/generated/sqlite/client.ts";
import { alone } from "../../src/store/peers.ts";
import { sqliteFactory } from "../../src/store/sqlite.ts";
import { createStore } from "../../src/store/store.ts";
import { temporaryFolder, writeMigrated } from "./database.ts";

const clock = () => new Date();

export type WatchedDisk = Awaited<ReturnType<typeof watchedDisk>>;

/** `flush` is called with the number of the flush, before the real one; where it rejects, there is none. */
export async function watchedDisk(flush: (count: number) => Promise<void> = async () => undefined) {
  const folder = temporaryFolder();
  const path = join(folder.path, "watched.db");
  await writeMigrated(path);
  let begun = 0;
  const onDisk: Buffer[] = [];
  const { factory, ...link } = linked(
    sqliteFactory(path, {
      flushFile: async (log) => {
        const found = readFileSync(`${path}-wal`);
        begun += 1;
        await flush(begun);
        await log.datasync();
        onDisk.push(found);
      },
    }),
  );
  const client = new PrismaClient({ adapter: factory });
  await client.$connect();
  const owned = { ensureOwned: () => undefined, confirmOwned: async () => undefined, heartbeat: async () => false };
  const store = createStore({
    clock,
    database: {
      provider: "sqlite",
      client,
      transaction: transactionsOf(client, link.whenWritten),
      script: link.script,
      conditions: [],
      servers: alone({ owner: "a tool", predecessor: "none", predecessor_process: null, clock }),
      hear: () => undefined,
      ...owned,
      ensureRoom: async () => undefined,
      close: async () => undefined,
    },
  });
  return {
    store,
    client,
    /** How many flushes are done. */
    flushes: () => onDisk.length,
    /** The length of the log at that flush, in bytes. */
    logAt: (count: number) => onDisk[count - 1]?.length ?? 0,
    /** What a server finds that starts after the power was lost at that flush, with the log cut at `length`. */
    async afterCutAt<T>(count: number, look: (store: Store) => Promise<T>, length?: number): Promise<T> {
      const left = join(folder.path, `${randomUUID()}.db`);
      writeFileSync(left, readFileSync(path));
      writeFileSync(`${left}-wal`, (onDisk[count - 1] ?? Buffer.alloc(0)).subarray(0, length));
      const database = await openDatabase({ url: `file:${left}` });
      try {
        return await look(createStore({ database, clock }));
      } finally {
        await database.close();
      }
    },
    async [Symbol.asyncDispose]() {
      link.close();
      await client.$disconnect();
      folder.remove();
    },
  };
}
