// The record of one version of a procedure: what its runs and the external verifications of them show.
import { z } from "zod";
import { READ_ONLY_INTENTS } from "../contract.ts";
import { counted } from "../printable.ts";
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

// When a version in use has lost its proof (D-294): by what was found outside of orch, or by its own runs. A rule acts where the true
// ratio is hardly as good as it has to be (Wilson's upper bound), so one success more never sets a version back.

/** A run of the version in its present window. */
export type VersionRun = Pick<TaskScore, "task_id" | "intent" | "reason_code" | "passed" | "verified" | "refuted">;

export type Demotion = {
  /** `refuted` and `failing` set the version back; `streak` only sends a message. */
  readonly rule: "refuted" | "failing" | "streak";
  readonly why: string;
  /** The runs that are the reason, newest first. */
  readonly tasks: readonly string[];
};

/** The service promises 95 % verified success. */
const VERIFIED = 0.95;
const PASSED = 0.5;
const WINDOW = 20;
const STREAK = 3;

/** DONE, and found wrong outside of orch. */
export const isRefuted = ({ refuted }: VersionRun): boolean => refuted > 0;

/**
 * A run that its engine is at fault for says nothing of the procedure (D-100), nor does one that failed for a temporary reason of its
 * environment [7.10.temporary], nor a diagnostic one whose check is false: that is the answer that it was asked for.
 */
export const isJudged = ({ intent, reason_code, passed }: VersionRun): boolean =>
  passed !== null && !(READ_ONLY_INTENTS.has(intent) && reason_code === "check_failed");

const idsOf = (runs: readonly VersionRun[]): string[] => runs.map(({ task_id }) => task_id);

/** Null while nothing is to be said. `runs` are newest first. */
export const demotionOf = (runs: readonly VersionRun[]): Demotion | null =>
  refutedBy(runs) ?? failingIn(runs.filter(isJudged));

function refutedBy(runs: readonly VersionRun[]): Demotion | null {
  const refuted = runs.filter(isRefuted);
  const verified = runs.filter((run) => run.verified > 0).length;
  const all = verified + refuted.length;
  if (wilson(verified, all).upper >= VERIFIED) return null;
  return { rule: "refuted", why: `refuted: ${verified} of ${all} verified`, tasks: idsOf(refuted) };
}

function failingIn(judged: readonly VersionRun[]): Demotion | null {
  const recent = judged.slice(0, WINDOW);
  const failed = recent.filter(({ passed }) => passed === false);
  const passed = recent.length - failed.length;
  if (wilson(passed, recent.length).upper < PASSED) {
    const why = `failing: ${passed} of its last ${counted(recent.length, "run")} passed`;
    return { rule: "failing", why, tasks: idsOf(failed) };
  }
  const success = judged.findIndex((run) => run.passed === true);
  const streak = success === -1 ? judged : judged.slice(0, success);
  if (streak.length < STREAK) return null;
  return { rule: "streak", why: `failing: its last ${streak.length} runs failed`, tasks: idsOf(streak) };
}

export const setsBack = (demotion: Demotion | null): demotion is Demotion & { readonly rule: "refuted" | "failing" } =>
  demotion !== null && demotion.rule !== "streak";
