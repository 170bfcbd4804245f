// One task that has ended, as the scorecard counts it [8.target.T1]. It follows from journals alone, so the stored rows may be
// deleted at any time: they are folded again (D-287).
import { z } from "zod";
import { signatureOf, type TaskContract } from "../contract.ts";
import { reportsNothingDone } from "../failure-signs.ts";
import { endsTask, type JournalEvent, lastOf } from "../journal.ts";
import { digestOf } from "../json.ts";
import { END_STATUSES, hasEnded } from "../outcome.ts";
import { REASON_CODES, type ReasonCode } from "../reason-code.ts";
import type { StepResult } from "../step.ts";
import { pauses } from "../step-run.ts";
import { hasTriedProcedure } from "../verification.ts";
import { tookRank, weekOf } from "./arithmetic.ts";
import { CANDIDATE_ENDS, Counts, candidateOf, countsOf } from "./counts.ts";

/** The groups that are always counted apart [8.target.R4]: by who knows what to do. */
export const COHORTS = ["agent", "teach", "known", "skill", "update"] as const;
type Cohort = (typeof COHORTS)[number];

export const TaskScore = z.strictObject({
  task_id: z.string(),
  accepted_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
  week: z.string().describe("the ISO week of its end"),
  intent: z.string(),
  target_signature: z.string(),
  cohort: z.enum(COHORTS),
  sop_id: z.string().nullable().describe("the stored version that it ran"),
  sop_version: z.int().nullable(),
  candidate: z.enum(CANDIDATE_ENDS).nullable().describe("what became of the version that it made"),
  status: z.enum(END_STATUSES),
  reason_code: z.enum(REASON_CODES),
  passed: z
    .boolean()
    .nullable()
    .describe("null where it says nothing of its procedure: not tried, or a temporary failure"),
  external: z.boolean().nullable().describe("the last external verification; null: none"),
  checks: z.int().min(0).describe("checks of the verdict that passed"),
  checks_unseen: z.int().min(0).describe("of those: never seen to fail"),
  took_rank: z.int().min(0).describe("how long it took, in steps of 9 %"),
  broken_why: z.string().nullable().describe("the rules that were broken"),
  tally: z.string().describe("short for what its tally has in common"),
  ...Counts.shape,
});
export type TaskScore = z.infer<typeof TaskScore>;

type Beside = {
  /** The rule of each broken promise. */
  readonly broken?: readonly string[];
  /** The journal of the promotion of what the task has proved. */
  readonly promotion?: readonly JournalEvent[];
};

/** Null for a task that has not ended. */
export function taskScoreOf(
  events: readonly JournalEvent[],
  { broken = [], promotion = [] }: Beside = {},
): TaskScore | null {
  const [first] = events;
  const end = events.find(endsTask);
  if (first?.kind !== "task_accepted" || end?.kind !== "reported" || !hasEnded(end.body.status)) return null;
  const { contract } = first.body;
  const { status, reason_code } = end.body;
  const procedure = events.findLast(({ kind }) => kind === "taught" || kind === "sop_pinned");
  const { sop_id, sop_version } = procedure?.kind === "sop_pinned" ? procedure.body : UNPINNED;
  const verdict = lastOf(events, "verdict_reached");
  const checks = verdict?.checks.filter(({ passed }) => passed) ?? [];
  const facts = {
    status,
    reason_code,
    candidate: candidateOf(events, promotion),
    passed: verdict === null || !hasTriedProcedure(verdict) || failedTemporarily(events) ? null : verdict.passed,
    external: lastOf(events, "verification_recorded")?.verified ?? null,
    checks: checks.length,
    checks_unseen: checks.filter(({ proof }) => proof === undefined || proof.seen_red.length === 0).length,
    broken: broken.length,
  };
  const in_common = {
    week: weekOf(end.at),
    cohort: cohortOf(contract, events, reason_code),
    intent: contract.intent,
    target_signature: signatureOf(contract),
    sop_id,
    sop_version,
    status,
    reason_code,
    broken_why: broken.length === 0 ? null : [...new Set(broken)].sort().join(", "),
  };
  return {
    task_id: first.thread_id,
    accepted_at: first.at,
    ended_at: end.at,
    took_rank: tookRank(Date.parse(end.at) - Date.parse(first.at)),
    ...in_common,
    tally: digestOf(in_common).slice(0, 16),
    ...facts,
    ...countsOf(events, facts),
  };
}

const UNPINNED = { sop_id: null, sop_version: null };

function cohortOf(
  { intent, delegation_mode }: Pick<TaskContract, "intent" | "delegation_mode">,
  events: readonly JournalEvent[],
  reason_code: ReasonCode,
): Cohort {
  if (intent === "update_sop") return "update";
  if (delegation_mode === "agent") return "agent";
  // Which intents have a skill depends on the server, and a journal does not change with it.
  if (reason_code.startsWith("skill_") || events.some(({ kind }) => kind.startsWith("skill_"))) return "skill";
  return delegation_mode === "teach_if_unknown" ? "teach" : "known";
}

// Decides whether a run failed for a temporary reason of its environment, which says nothing of the procedure [7.10.temporary].

type Failure = Pick<StepResult, "stdout" | "stderr" | "timed_out">;

/** A connection that was never made, as programs put it beside the signs of `failure-signs.ts`. */
const NOT_CONNECTED =
  /(failed|could ?n.t|unable|cannot) (to )?connect (to|:)|connect\b.*(timed out|timeout)|connection timed out|index\.lock|host is unreachable/i;

/** A program says last why it ended, some with a stack of calls. What it has coped with comes before. */
const LAST_LINES = 12;

export function isTemporary({ stdout, stderr, timed_out }: Failure): boolean {
  const text = stderr.trim() === "" ? stdout : stderr;
  const last = text.trimEnd().split("\n").slice(-LAST_LINES).join("\n");
  return !timed_out && (reportsNothingDone(last) || NOT_CONNECTED.test(last));
}

/** By the words of the step that the verdict names, or by a retry of it, which was granted because its failure was called transient. */
export function failedTemporarily(events: readonly JournalEvent[]): boolean {
  const failed = failedStepIn(events);
  if (failed === null) return false;
  const wasRetried = events.some((event) => event.kind === "retry_granted" && event.body.index === failed.index);
  return wasRetried || isTemporary(failed);
}

/** A check that fails after a step of the same run has acted may fail because of that step. */
export function failedBeforeActing(events: readonly JournalEvent[]): boolean {
  const failed = failedStepIn(events);
  const hasActed = events.some(
    ({ kind, body }) =>
      kind === "step_finished" && body.kind !== "check" && !pauses(body.kind) && body.status === "passed",
  );
  return failedTemporarily(events) && (failed?.kind !== "check" || !hasActed);
}

function failedStepIn(events: readonly JournalEvent[]): StepResult | null {
  const verdict = lastOf(events, "verdict_reached");
  if (verdict === null || verdict.passed) return null;
  const of_step = events.filter(({ kind, body }) => kind === "step_finished" && body.index === verdict.step_index);
  return lastOf(of_step, "step_finished");
}
