import { timer } from "../../src/process/system.ts";
import { createWakeups } from "../../src/wakeups/create-wakeups.ts";
import { wakeupsSuite } from "./wakeups-suite.ts";

wakeupsSuite({
  open: (log) => createWakeups({ database_url: "file:unused" }, { provider: "sqlite" }, { labels: [], timer, log }),
});
