// Archives the journals of tasks that ended long ago while tasks are submitted, on SQLite: `npm run bench:archive -- --tasks 100000`. Prints
// how long it took, the bytes of a task, and the p99 of submits beside the archiving as a ratio to that without it, and by how much the file gets
// shorter.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { outcome } from "../../src/domain/outcome.ts";
import { accept } from "../../src/engine/tasks/transitions.ts";
import { composeArchive } from "../../src/features/keeping/keeping.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createShrink } from "../../src/store/shrink.ts";
import { createStore } from "../../src/store/store.ts";
import { aScore } from "../conformance/store-records.ts";
import { aContract } from "../support/builders.ts";

const { values } = parseArgs({ options: { tasks: { type: "string", default: "2000" } } });
const TASKS = Number(values.tasks);
const SUBMITS = 300;
const PAUSE_MS = 5;

const directory = mkdtempSync(join(tmpdir(), "orch-archive-"));
const archive_dir = join(directory, "archive");
const database = await openDatabase({ url: `file:${join(directory, "bench.db")}`, exclusive: true });
let days = 0;
const clock = () => new Date(Date.now() + days * 86_400_000);
const store = createStore({ database, clock, archive_dir });

async function submit(task_id: string) {
  const { task, events, changes } = accept({
    contract: aContract({ task_id }),
    backend: "local",
    at: clock().toISOString(),
  });
  const done = await store.commit({ thread_id: task_id, after: null, events, changes });
  if (!done.ok) throw new Error(`${task_id} was not accepted`);
  return { task, last: done.events.at(-1) ?? null };
}

/** As long as the journal of ten steps is, without running them. */
async function ended(task_id: string): Promise<void> {
  const { last } = await submit(task_id);
  const cancelled = outcome("cancelled", "cancelled", "The supervisor cancelled the task.", { thread_id: task_id });
  const asked = Array.from(
    { length: 20 },
    () => ({ kind: "cancel_requested", body: { reason: "x".repeat(200) } }) as const,
  );
  const set = { status: "cancelled", outcome: cancelled, ended_at: clock().toISOString() } as const;
  await store.commit({
    thread_id: task_id,
    after: last,
    events: [...asked, { kind: "reported", body: cancelled }],
    changes: [
      { on: "task", task_id, expect: { status: ["accepted"] }, set },
      { on: "task_scored", score: aScore({ task_id }) },
    ],
  });
}

async function p99Of(name: string): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < SUBMITS; nth += 1) {
    const begun = performance.now();
    await submit(`${name}-${nth}`);
    times.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return times.sort((one, other) => one - other)[Math.floor(SUBMITS * 0.99)] ?? 0;
}

for (let from = 0; from < TASKS; from += 50)
  await Promise.all(Array.from({ length: Math.min(50, TASKS - from) }, (_, nth) => ended(`old-${from + nth}`)));
const before = await p99Of("before");
days = 400;
let archived: Promise<void> = Promise.resolve();
const every = (_name: string, _ms: number, act: (signal: AbortSignal) => Promise<void>) => {
  archived = act(new AbortController().signal);
  return { wake: async () => undefined };
};
const log = {
  info: () => undefined,
  error: (details: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
  warn: (details: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
};
const [used, begun] = [process.cpuUsage(), performance.now()];
const file = join(directory, "bench.db");
const size = () => statSync(file).size / 2 ** 20;
const full = size();
const shrink = createShrink(database);
const parts = { store, clock, log, servers: database.servers, wakeups: { every }, shrink };
composeArchive({ archive_dir, keep_days: 180 }, parts).shareArchive();
const beside = p99Of("beside");
await archived;
const seconds = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(used);
const bytes = readdirSync(archive_dir)
  .filter((name) => name.endsWith(".zst"))
  .reduce((sum, name) => sum + statSync(join(archive_dir, name)).size, 0);
process.stdout.write(
  `${TASKS} tasks archived in ${seconds.toFixed(1)} s: ${(TASKS / seconds).toFixed(0)} a second, ${(bytes / TASKS).toFixed(0)} bytes and ${((user + system) / 1000 / TASKS).toFixed(1)} ms of the processor each, submits included\n`,
);
const during = await beside;
process.stdout.write(
  `p99 of submits: ${before.toFixed(1)} ms before, ${during.toFixed(1)} ms beside it, a ratio of ${(during / before).toFixed(2)}\n`,
);
await database.close();
process.stdout.write(`the file of the database: ${full.toFixed(1)} MiB before, ${size().toFixed(1)} MiB after\n`);
rmSync(directory, { recursive: true });
