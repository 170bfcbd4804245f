// `npm run bench:cost`: what a task costs in time of the processor, as a ratio to the floor of the same run, and in flushes.
// With --check it exits with 1 where that is clearly more than the record in cost-record.json; with --record it writes one.
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { openEngine } from "../support/engine.ts";
import { type Cost, LOADS, measure, printCost } from "./costs.ts";
import { startFloor } from "./floor.ts";
import { say } from "./table.ts";
import { trueTasks } from "./true-tasks.ts";

const CHECKED = ["1 step, one task at a time", "10 steps, one task at a time", "10 steps, 32 tasks at once"] as const;
const ROUNDS = 3;
const RECORD = join(import.meta.dirname, "cost-record.json");
/** How many flushes tasks that run at once share depends on the disk: those are not held. */
const Entry = z.object({ cpu_ratio: z.number(), flushes: z.number().optional() });
const CostRecord = z.record(z.enum(CHECKED), Entry);

/**
 * Others share the processor and its caches: the same code has cost 4.7 and 6.2 times the floor within an hour on one machine, and 9.2 and
 * 10.7 times on another. The record is a median of five runs on the slower one. Of flushes only the checkpoints of the log vary.
 */
const MOST = {
  cpu_ratio: (recorded: number) => 1.4 * recorded,
  flushes: (recorded: number) => recorded + 0.5,
};

const measured = new Map<(typeof CHECKED)[number], Cost>();
const directory = await mkdtemp(join(tmpdir(), "orch-floor-"));
const floor = startFloor(join(directory, "floor.db"));
try {
  await using engine = await openEngine({ env: { ORCH_CONCURRENCY: "32" } });
  const tasks = trueTasks(engine);
  for (const name of CHECKED) {
    const cost = await measure(tasks, floor, LOADS[name], ROUNDS);
    printCost(name, cost, LOADS[name]);
    measured.set(name, cost);
  }
} finally {
  floor.close();
  await rm(directory, { recursive: true, force: true });
}
if (process.argv.includes("--record")) record();
if (process.argv.includes("--check")) check();

function record(): void {
  const entries = [...measured].map(([name, { cpu_ratio, flushes }]) => {
    if (flushes === null) throw new Error("flushes cannot be counted here: install strace, and let it attach");
    const held = LOADS[name].at_once > 1 ? {} : { flushes: Number(flushes.toFixed(2)) };
    return [name, { cpu_ratio: Number(cpu_ratio.toFixed(2)), ...held }];
  });
  writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

function check(): void {
  const known = CostRecord.parse(JSON.parse(readFileSync(RECORD, "utf8")));
  for (const [name, cost] of measured) {
    for (const key of ["cpu_ratio", "flushes"] as const) {
      const now = cost[key];
      const recorded = known[name][key];
      if (recorded === undefined) continue;
      if (now === null) say(`${name}: flushes are not held, because strace cannot attach here`);
      const most = MOST[key](recorded);
      if (now === null || now <= most) continue;
      say(
        `${name}: ${key} is ${now.toFixed(2)}, at most ${most.toFixed(2)} is expected; see test/bench/cost-record.json`,
      );
      process.exitCode = 1;
    }
  }
}
