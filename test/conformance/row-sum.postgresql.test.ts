import { afterAll, test } from "vitest";
import { postgres } from "../support/postgres.ts";
import { rowSumSuite } from "./row-sum-suite.ts";

const server = postgres();
afterAll(() => server?.stop());

if (server === null) test.skip("PostgreSQL is not installed", () => undefined);
else rowSumSuite(() => server.createDatabase());
