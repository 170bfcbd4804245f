// Reporting how long it has been: only while there is something to wait for, and never at the cost of the work.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Progress, type Reporting, whileReporting } from "../../../../src/api/mcp/tools.ts";

const telling = (over: Partial<Reporting>): Reporting => ({
  every_ms: 10,
  total_seconds: 0.03,
  describe: async () => "still waiting",
  report: async () => {},
  onFault: (error) => {
    throw error;
  },
  ...over,
});

const LONG_MS = 200;

test("progress is reported again and again, never more than the whole, and the outcome is returned", async () => {
  const told: Progress[] = [];
  const report = async (progress: Progress) => void told.push(progress);
  expect(await whileReporting(sleep(LONG_MS, "done"), telling({ report }))).toBe("done");
  expect(told.length).toBeGreaterThan(3);
  for (const { progress, total, message } of told) {
    expect(progress).toBeGreaterThan(0);
    expect(progress).toBeLessThanOrEqual(total);
    expect(message).toBe("still waiting");
  }
});

test("no progress is reported for work that is done before", async () => {
  const told: Progress[] = [];
  const report = async (progress: Progress) => void told.push(progress);
  expect(await whileReporting(Promise.resolve(1), telling({ report, every_ms: 5 }))).toBe(1);
  await sleep(50);
  expect(told).toEqual([]);
});

test("no progress is reported after the outcome, also when its description took longer", async () => {
  const told: Progress[] = [];
  const report = async (progress: Progress) => void told.push(progress);
  const describe = () => sleep(LONG_MS, "too late");
  expect(await whileReporting(sleep(LONG_MS / 2, "done"), telling({ report, describe }))).toBe("done");
  expect(told).toEqual([]);
});

test("what goes wrong with the telling is reported once and changes nothing about the work", async () => {
  const faults: unknown[] = [];
  const onFault = (error: unknown) => void faults.push(error);
  const gone = new Error("nobody listens");
  const outcome = whileReporting(sleep(LONG_MS, "done"), telling({ onFault, report: () => Promise.reject(gone) }));
  expect(await outcome).toBe("done");
  expect(faults).toEqual([gone]);
});
