import { afterAll, test } from "vitest";
import { createStore } from "../../src/store/store.ts";
import { postgresqlDatabases } from "../support/database.ts";
import { storeSuite } from "./store-suite.ts";

const databases = postgresqlDatabases();
afterAll(() => databases?.stop());

if (databases === null) {
  test.skip("PostgreSQL is not installed", () => undefined);
} else {
  storeSuite(async () => createStore({ database: await databases.create(), clock: () => new Date() }));
}
