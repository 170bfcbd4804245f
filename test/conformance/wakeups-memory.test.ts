import { afterAll } from "vitest";
import { composeWakeups } from "../../src/app/compose-wakeups.ts";
import { timer } from "../../src/worker/timer.ts";
import { sqliteDatabases } from "../support/database.ts";
import { wakeupsSuite } from "./wakeups-suite.ts";

const databases = sqliteDatabases();
afterAll(databases.stop);

wakeupsSuite({
  database: () => databases.create(),
  open: (log) => composeWakeups({ database_url: "file:unused" }, { provider: "sqlite" }, { labels: [], timer, log }),
});
