// Seconds of `npm run chaos`. The seed is the day, so that each day has other faults, and the databases take turns; a finding
// names the seed, and ORCH_CHAOS_SEED sets it.
import { expect, test } from "vitest";
import { runOn } from "../chaos/databases.ts";
import { reportOf } from "../chaos/report.ts";

const SECONDS = 15;
const DAY_MS = 86_400_000;
const seed = Number(process.env["ORCH_CHAOS_SEED"] ?? Math.floor(Date.now() / DAY_MS));

const name = seed % 2 === 0 ? "sqlite" : "postgresql";

test(`under load and faults on ${name}, a server runs no step twice, loses nothing, and its evidence verifies`, async ({
  skip,
}) => {
  const result = await runOn(name, { seconds: SECONDS, seed });
  if (result === null) return skip("PostgreSQL is not installed");
  const command = `npm run chaos -- --minutes ${SECONDS / 60} --database ${name} --seed ${seed}`;
  const report = reportOf({ results: [result], seed, skipped: [], command, version: "This tree" });
  expect(result.findings, report).toEqual([]);
  expect(result.figures.tasks).toBeGreaterThan(0);
}, 300_000);
