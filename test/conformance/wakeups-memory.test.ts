import { composeWakeups } from "../../src/app/compose-wakeups.ts";
import { timer } from "../../src/worker/timer.ts";
import { wakeupsSuite } from "./wakeups-suite.ts";

wakeupsSuite({
  open: (log) => composeWakeups({ database_url: "file:unused" }, { provider: "sqlite" }, { labels: [], timer, log }),
});
