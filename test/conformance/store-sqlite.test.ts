import { afterAll } from "vitest";
import { createStore } from "../../src/store/store.ts";
import { sqliteDatabases } from "../support/database.ts";
import { storeSuite } from "./store-suite.ts";

const databases = sqliteDatabases();
afterAll(() => databases.stop());

storeSuite(async () => createStore({ database: await databases.create(), clock: () => new Date() }));
