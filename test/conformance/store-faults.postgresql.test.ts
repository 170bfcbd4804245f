// Answers lost on the wire between a real client and a real server.
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import { postgresqlFactory } from "../../src/store/postgresql-session.ts";
import { messageOrder } from "../../src/store/sql.ts";
import { createStore } from "../../src/store/store.ts";
import { postgres } from "../support/postgres.ts";
import { type PostgresqlProxy, postgresqlProxy } from "../support/postgresql-proxy.ts";
import { type FaultyStore, storeFaultsSuite } from "./store-faults-suite.ts";
import { aThread, reported } from "./store-records.ts";

const server = postgres();
const clock = () => new Date();

if (server === null) {
  test.skip("PostgreSQL is not installed", () => undefined);
} else {
  let proxy: PostgresqlProxy | undefined;
  const direct = server.createDatabase();
  const opened = direct.then(async (url) => {
    proxy = await postgresqlProxy(url);
    return openDatabase({ url: proxy.url, exclusive: true });
  });
  afterAll(async () => {
    await (await opened).close();
    await proxy?.stop();
    await server.stop();
  });

  storeFaultsSuite(async () => {
    const store = createStore({ database: await opened, clock });
    const arm: FaultyStore["arm"] = async (fault, ofOwner) =>
      proxy?.arm(ofOwner ? "INSERT INTO journal_event" : "COMMIT", fault);
    return { store, arm };
  });

  test("clients that are silent in their transactions, or while they wait for a lock, hold up a commit for seconds", async () => {
    const store = createStore({ database: await opened, clock });
    // What holds the order of messages, and what would get it next: nothing more is asked of them, and their connections stay.
    const silent = await Promise.all(
      [1, 2, 3].map(async () => {
        const adapter = await postgresqlFactory(await direct).connect();
        const transaction = await adapter.startTransaction();
        const asked = transaction.queryRaw({ sql: messageOrder.text, args: [], argTypes: [] }).catch(() => null);
        return { adapter, transaction, asked };
      }),
    );
    await Promise.race(silent.map(({ asked }) => asked));
    expect(await store.commit({ thread_id: aThread(), after: null, events: [reported()] })).toMatchObject({ ok: true });
    for (const { adapter, transaction } of silent) {
      await transaction.rollback();
      await adapter.dispose();
    }
  });
}
