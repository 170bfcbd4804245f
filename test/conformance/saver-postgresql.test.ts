import { afterAll, test } from "vitest";
import { postgresqlDatabases } from "../support/database.ts";
import { saverExtrasSuite } from "./saver-extras-suite.ts";
import { officialSaverSuite } from "./saver-suite.ts";

const databases = postgresqlDatabases();
afterAll(() => databases?.stop());

if (databases === null) {
  test.skip("PostgreSQL is not installed", () => undefined);
} else {
  officialSaverSuite("orch-prisma-postgresql", databases.create);
  saverExtrasSuite(databases.create);
}
