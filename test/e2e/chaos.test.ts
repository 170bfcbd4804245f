// A quarter of a minute of `npm run chaos` on each database, a minute at night, both at the same time, because they wait more than they
// compute. The seed is the day, so that each day has other faults; a finding names the seed, and ORCH_CHAOS_SEED sets it.
import { expect, test } from "vitest";
import { runOn } from "../chaos/databases.ts";
import { reportOf } from "../chaos/report.ts";

const SECONDS = process.env["ORCH_TESTS"] === "all" ? 60 : 15;
const DAY_MS = 86_400_000;
const seed = Number(process.env["ORCH_CHAOS_SEED"] ?? Math.floor(Date.now() / DAY_MS));

test.concurrent.each(["sqlite", "postgresql"] as const)(
  "under load and faults on %s, a server runs no step twice, loses nothing, and its evidence verifies",
  async (name) => {
    const result = await runOn(name, { seconds: SECONDS, seed });
    if (result === null)
      return void process.stdout.write("PostgreSQL is not installed: there are no faults on it here\n");
    const command = `npm run chaos -- --minutes ${SECONDS / 60} --database ${name} --seed ${seed}`;
    const report = reportOf({ results: [result], seed, skipped: [], command, version: "This tree" });
    expect(result.findings, report).toEqual([]);
    expect(result.figures.tasks, report).toBeGreaterThan(0);
  },
  600_000,
);
