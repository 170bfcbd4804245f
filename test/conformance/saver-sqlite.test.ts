import { afterAll } from "vitest";
import { sqliteDatabases } from "../support/database.ts";
import { saverExtrasSuite } from "./saver-extras-suite.ts";
import { officialSaverSuite } from "./saver-suite.ts";

const databases = sqliteDatabases();
afterAll(() => databases.stop());

officialSaverSuite("orch-prisma-sqlite", databases.create);
saverExtrasSuite(databases.create);
