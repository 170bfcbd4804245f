// One task that has ended, as the scorecard counts it [8.target.T1]. It follows from journals alone, so the stored rows may be
// deleted at any time: they are folded again (D-290).
import { z } from "zod";
import { signatureOf } from "../contract.ts";
import { type EventBody, type EventKind, endsTask, type JournalEvent } from "../journal.ts";
import { END_STATUSES, hasEnded } from "../outcome.ts";
import { REASON_CODES } from "../reason-code.ts";
import { hasTriedProcedure } from "../verdict.ts";
import { CANDIDATE_ENDS, candidateOf } from "./candidate.ts";
import { COHORTS, cohortOf } from "./cohort.ts";
import { GateScore, gateScoreOf } from "./gate-score.ts";
import { lastOf } from "./last-event.ts";
import { questionsIn } from "./questions.ts";
import { timesOf } from "./times.ts";
import { UnknownOutcomes, unknownOutcomesIn } from "./unknown-outcomes.ts";
import { weekOf } from "./week.ts";

const Count = z.int().min(0);

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
  taught: z.boolean().describe("its steps were taught to it"),
  candidate: z.enum(CANDIDATE_ENDS).nullable().describe("what became of the version that it made"),
  status: z.enum(END_STATUSES),
  reason_code: z.enum(REASON_CODES),
  passed: z.boolean().nullable().describe("null where its procedure was not tried"),
  verified: z.boolean().nullable().describe("the last external verification; null: none"),
  checks: Count.describe("checks of the verdict that passed"),
  checks_unseen: Count.describe("of those: never seen to fail"),
  questions: Count.describe("how often it handed work back: need_input"),
  approvals: Count.describe("approvals that it asked for"),
  rejected: Count.describe("of those: rejected or expired"),
  hasty: Count.describe("of those: approved within 10 seconds of being shown"),
  steps: Count.describe("starts of steps"),
  retries: Count,
  unknown: UnknownOutcomes.nullable(),
  gate: GateScore.nullable(),
  queued_ms: z.number().min(0),
  waited_ms: z.number().min(0),
  active_ms: z.number().min(0),
  broken: Count.describe("broken promises [8.target.T2]"),
  broken_why: z.string().nullable().describe("the rules that were broken"),
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
  const count = (...kinds: EventKind[]) => events.filter(({ kind }) => kinds.includes(kind)).length;
  return {
    task_id: first.thread_id,
    ...{ accepted_at: first.at, ended_at: end.at, week: weekOf(end.at) },
    ...{ intent: contract.intent, target_signature: signatureOf(contract) },
    ...{ cohort: cohortOf(contract, events, reason_code), sop_id, sop_version },
    ...{ taught: count("taught") > 0, candidate: candidateOf(events, promotion), status, reason_code },
    ...verdictPart(lastOf(events, "verdict_reached")),
    verified: lastOf(events, "verification_recorded")?.verified ?? null,
    ...questionsIn(events),
    ...{ steps: count("step_started", "skill_step_started"), retries: count("retry_granted") },
    ...{ unknown: unknownOutcomesIn(events), gate: gateScoreOf(events) },
    ...timesOf(events),
    ...{ broken: broken.length, broken_why: broken.length === 0 ? null : [...new Set(broken)].sort().join(", ") },
  };
}

const UNPINNED = { sop_id: null, sop_version: null };

function verdictPart(verdict: EventBody<"verdict_reached"> | null) {
  if (verdict === null) return { passed: null, checks: 0, checks_unseen: 0 };
  const passed = verdict.checks.filter((check) => check.passed);
  const unseen = passed.filter(({ proof }) => proof === undefined || proof.seen_red.length === 0);
  return {
    passed: hasTriedProcedure(verdict) ? verdict.passed : null,
    ...{ checks: passed.length, checks_unseen: unseen.length },
  };
}
