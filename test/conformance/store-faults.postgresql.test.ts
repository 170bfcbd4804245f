// Answers lost on the wire between a real client and a real server.
import { afterAll, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import { createStore } from "../../src/store/store.ts";
import { postgres } from "../support/postgres.ts";
import { type PostgresqlProxy, postgresqlProxy } from "../support/postgresql-proxy.ts";
import { type FaultyStore, storeFaultsSuite } from "./store-faults-suite.ts";

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
    const arm: FaultyStore["arm"] = async (fault, isOneStatement) =>
      proxy?.arm(isOneStatement ? "INSERT INTO journal_event" : "COMMIT", fault);
    return { store, arm };
  });
}
