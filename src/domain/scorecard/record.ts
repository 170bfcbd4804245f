// The record of one version of a procedure: what its runs and the external verifications of them show.
import { z } from "zod";
import { wilson } from "./arithmetic.ts";
import type { TaskScore } from "./task-score.ts";

const Count = z.int().min(0);
const Ratio = z.number().min(0).max(1);

/** Below it, a ratio misses its target [8.target.T1]. */
const WANTED = 0.95;

export const SopRecord = z.strictObject({
  runs: Count.describe(
    "that tried the procedure; an error of orch or of an engine is none, nor is a temporary one of its environment",
  ),
  passed: Count,
  streak: Count.describe("failures since the last run that passed"),
  done: Count,
  done_unseen: Count.describe("of those: with a check that was never seen to fail"),
  verified: Count.describe("DONE, and an external verification agreed"),
  refuted: Count.describe("DONE, and an external verification disagreed"),
  lower: Ratio.describe("at least this ratio of its DONE is true, at 95 %"),
  upper: Ratio.describe("at most this ratio of its DONE is true, at 95 %"),
  mark: z.enum(["proven", "unproven", "refuted"]).describe("proven from 52 of 52 on; refuted: it cannot reach 95 %"),
  since: z.iso.datetime().nullable().describe("the end of the oldest run counted"),
});
export type SopRecord = z.infer<typeof SopRecord>;

export type SopRun = Pick<TaskScore, "passed" | "ended_at" | "done" | "done_unseen" | "verified" | "refuted">;

/** Of so many runs: earlier ones say little of the version as it works now. */
export const RECORD_RUNS = 200;

/** Of the runs of one version, newest first. */
export function recordOf(scores: readonly SopRun[]): SopRecord {
  const runs = scores.filter(({ passed }) => passed !== null);
  const streak = runs.findIndex(({ passed }) => passed);
  const total = (name: "done" | "done_unseen" | "verified" | "refuted") =>
    scores.reduce((counted, score) => counted + score[name], 0);
  const [verified, refuted] = [total("verified"), total("refuted")];
  const { lower, upper } = wilson(verified, verified + refuted);
  return {
    runs: runs.length,
    passed: runs.filter(({ passed }) => passed).length,
    streak: streak === -1 ? runs.length : streak,
    done: total("done"),
    done_unseen: total("done_unseen"),
    verified,
    refuted,
    lower,
    upper,
    mark: lower >= WANTED ? "proven" : upper < WANTED ? "refuted" : "unproven",
    since: scores.at(-1)?.ended_at ?? null,
  };
}
