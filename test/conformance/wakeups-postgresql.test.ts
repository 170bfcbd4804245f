import { afterAll, beforeAll, test } from "vitest";
import { timer } from "../../src/process/system.ts";
import { createWakeups } from "../../src/wakeups/create-wakeups.ts";
import { postgres } from "../support/postgres.ts";
import { wakeupsSuite } from "./wakeups-suite.ts";

const server = postgres();

if (server === null) {
  test.skip("PostgreSQL is not installed", () => undefined);
} else {
  let database_url: string;
  beforeAll(async () => {
    database_url = await server.createDatabase();
  });
  afterAll(() => server.stop());

  wakeupsSuite({
    open: (log, labels = []) => createWakeups({ database_url }, { provider: "postgresql" }, { labels, timer, log }),
  });
}
