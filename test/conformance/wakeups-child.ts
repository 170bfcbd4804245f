// A server of its own with one duty and wakeups: `node wakeups-child.ts <url>`. Prints what it does, and never ends.

import { timer } from "../../src/process/system.ts";
import { createWakeups } from "../../src/wakeups/create-wakeups.ts";

const write = (line: string) => process.stdout.write(`${line}\n`);
const failed = (details: object, message: string) => write(`${message} ${JSON.stringify(details)}`);
const log = { debug: () => undefined, info: failed, warn: failed, error: failed };
const config = { database_url: process.argv[2] ?? "" };
const wakeups = createWakeups(config, { provider: "postgresql" }, { labels: [], timer, log });
wakeups.every("stay", 1_000, async (signal) => {
  write("on duty");
  await new Promise((over) => signal.addEventListener("abort", over));
});
wakeups.work(async (id) => {
  write(id);
  return "done";
});
await wakeups.start();
write("started");
