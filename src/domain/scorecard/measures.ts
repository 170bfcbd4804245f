// A row of the scorecard: what was counted of some tasks, as ratios. No DONE is without the verified part beside it [8.target.R1].
import { z } from "zod";
import { type ScoreTally, sum } from "./counts.ts";
import { quotient } from "./target.ts";
import { percentile, type Took } from "./took.ts";
import { wilson } from "./wilson.ts";

const Count = z.int().min(0);
const Ratio = z.number().min(0).max(1);
const Ms = z.number().min(0).nullable();

export const Measures = z.strictObject({
  tasks: Count,
  done: Count,
  done_unseen: Count.describe("of those: with a check that was never seen to fail"),
  verified: Count.describe("of DONE: an external verification agreed"),
  refuted: Count.describe("of DONE: an external verification disagreed"),
  unverified: Count.describe("of DONE: without an external verification"),
  false_success: Ratio.nullable().describe("refuted over verified and refuted"),
  lower: Ratio.describe("at least this ratio of DONE is true, at 95 %"),
  upper: Ratio.describe("at most this ratio of DONE is true, at 95 %"),
  broken: Count.describe("broken promises"),
  handed_back: Count,
  taught: Count,
  intervention: Ratio.nullable().describe("tasks that asked anything, over tasks"),
  questions_per_task: z.number().min(0).nullable(),
  hasty_approvals: Count.describe("given within 10 seconds of being shown"),
  wait_per_question_ms: Ms,
  took_p50_ms: Ms.describe("from acceptance to the end, to a twentieth; of a group only in rows by group"),
  took_p95_ms: Ms,
  queued_ms: Ms.describe("the part of it, per task"),
  waited_ms: Ms,
  active_ms: Ms,
  unknown_per_1000_steps: z.number().min(0).nullable(),
  unknown: z.strictObject({ succeeded: Count, failed: Count, retry: Count, open: Count }),
  gate: z.strictObject({
    errors: z.strictObject({ asked: Count, fallback: Count, right: Count, wrong: Count }),
    approvals: z.strictObject({ asked: Count, fallback: Count, allowed: Count, asked_human: Count, useful: Count }),
  }),
});
export type Measures = z.infer<typeof Measures>;

export function measuresOf(tallies: readonly ScoreTally[], took: readonly Took[]): Measures {
  const total = sum(tallies);
  const { tasks, done, verified, refuted, questions, approvals } = total;
  const each = (ms: number) => quotient(Math.round(ms), tasks);
  return {
    tasks,
    done,
    done_unseen: total.done_unseen,
    verified,
    refuted,
    unverified: done - verified - refuted,
    false_success: quotient(refuted, verified + refuted),
    ...wilson(verified, verified + refuted),
    broken: total.broken,
    handed_back: total.handed_back,
    taught: total.taught,
    intervention: quotient(total.asked, tasks),
    questions_per_task: quotient(questions + approvals, tasks),
    hasty_approvals: total.hasty,
    wait_per_question_ms: quotient(Math.round(total.waited_ms), questions + approvals),
    took_p50_ms: percentile(took, 0.5),
    took_p95_ms: percentile(took, 0.95),
    queued_ms: each(total.queued_ms),
    waited_ms: each(total.waited_ms),
    active_ms: each(total.active_ms),
    ...outcomesIn(total),
    gate: gateIn(total),
  };
}

function outcomesIn(total: ScoreTally) {
  const unknown = {
    succeeded: total.unknown_succeeded,
    failed: total.unknown_failed,
    retry: total.unknown_retry,
    open: total.unknown_open,
  };
  const all = unknown.succeeded + unknown.failed + unknown.retry + unknown.open;
  return { unknown, unknown_per_1000_steps: quotient(1000 * all, total.steps) };
}

const gateIn = (total: ScoreTally) => ({
  errors: {
    asked: total.gate_errors,
    fallback: total.gate_error_fallbacks,
    right: total.gate_right,
    wrong: total.gate_wrong,
  },
  approvals: {
    asked: total.gate_approvals,
    fallback: total.gate_approval_fallbacks,
    allowed: total.gate_allowed,
    asked_human: total.gate_asked,
    useful: total.gate_useful,
  },
});
