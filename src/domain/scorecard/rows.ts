// The rows of the scorecard: the tasks of each week, group, intent, target or version, and the groups always apart [8.target.R4]; and
// its lists, of what can be worked off.
import { z } from "zod";
import { READ_ONLY_INTENTS } from "../contract.ts";
import { percentile, quotient, type Took, wilson } from "./arithmetic.ts";
import { type ScoreTally, sum } from "./counts.ts";
import type { KeyedTally, ListedVersion } from "./kept-scores.ts";
import { COHORTS } from "./task-score.ts";

export type RowsBy = "week" | "group" | "intent" | "target" | "sop";

type ScoreRow = Measures & {
  readonly of: string;
  readonly sop_id: string | null;
  readonly sop_version: number | null;
  readonly by_week: (number | null)[];
};

type Given = {
  readonly tallies: readonly KeyedTally[];
  /** Of each value of what the rows are by. */
  readonly took: readonly (Took & { readonly of: string | null })[];
  readonly weeks: readonly string[];
  readonly by: RowsBy;
  readonly limit: number;
};

/** Those with most at stake first: false successes, then what was never looked at. Weeks and groups keep their order. */
export function rowsOf({ tallies, took, weeks, by, limit }: Given): { rows: ScoreRow[]; left_out: number } {
  const tookBy = Map.groupBy(took, ({ of }) => of);
  const row = (value: string | null, of_value: readonly KeyedTally[], times: readonly Took[]): ScoreRow => ({
    of: nameOf(by, value, of_value),
    sop_id: null,
    sop_version: null,
    ...(by === "sop" && { sop_id: value, sop_version: of_value[0]?.sop_version ?? null }),
    ...measuresOf(of_value, times),
    by_week: weeks.map((week) => verifiedIn(of_value.filter((tally) => tally.week === week))),
  });
  const found = Map.groupBy(tallies, (tally) => VALUE_OF[by](tally));
  if (by === "week") return whole(weeks.map((week) => row(week, found.get(week) ?? [], tookBy.get(week) ?? [])));
  if (by === "group") {
    const groups = COHORTS.map((cohort) => row(cohort, found.get(cohort) ?? [], tookBy.get(cohort) ?? []));
    return whole([row("all", tallies, took), ...groups]);
  }
  const rows = [...found].map(([value, of_value]) => row(value, of_value, tookBy.get(value) ?? []));
  const sorted = rows.sort((a, b) => b.refuted - a.refuted || b.unverified - a.unverified || b.tasks - a.tasks);
  return { rows: sorted.slice(0, limit), left_out: Math.max(0, sorted.length - limit) };
}

const whole = (rows: ScoreRow[]) => ({ rows, left_out: 0 });

const VALUE_OF: Readonly<Record<RowsBy, (tally: KeyedTally) => string | null>> = {
  week: ({ week }) => week,
  group: ({ cohort }) => cohort,
  intent: ({ intent }) => intent,
  target: ({ target_signature }) => target_signature,
  sop: ({ sop_id }) => sop_id,
};

function nameOf(by: RowsBy, value: string | null, [one]: readonly KeyedTally[]): string {
  if (by !== "sop") return value ?? "";
  if (value === null || one === undefined) return "without a stored version";
  return `${one.intent} on "${one.target_signature}" v${one.sop_version}`;
}

function verifiedIn(tallies: readonly KeyedTally[]): number | null {
  const { done, verified } = sum(tallies);
  return quotient(verified, done);
}

// What each row says: what was counted, as ratios. No DONE is without the verified part beside it [8.target.R1].

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
type Measures = z.infer<typeof Measures>;

function measuresOf(tallies: readonly ScoreTally[], took: readonly Took[]): Measures {
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

// What can be worked off: what was never looked at from outside, what had to be taught again, what repeats itself.

const SHOWN = 20;
/** Fewer may be chance. */
const SAME_UNDER = 3;

const keyOf = ({ intent, target_signature }: Pick<KeyedTally, "intent" | "target_signature">): string =>
  `${intent}|${target_signature}`;

/** What has changed something. The answer of a task that only looks is what it saw, and orch submits many of them by itself. */
const claiming = (tallies: readonly KeyedTally[]): readonly KeyedTally[] =>
  tallies.filter(({ intent }) => !READ_ONLY_INTENTS.has(intent));

export function debtIn(tallies: readonly KeyedTally[]) {
  const unseen = claiming(tallies).filter(({ done, verified, refuted }) => done > verified + refuted);
  return [...Map.groupBy(unseen, (tally) => `${tally.sop_id} ${keyOf(tally)}`).values()]
    .flatMap((of_one) => {
      const { done, verified, refuted } = sum(of_one);
      const [oldest] = [...of_one].sort((a, b) => a.week.localeCompare(b.week));
      if (oldest === undefined) return [];
      const about = `${keyOf(oldest)}${oldest.sop_version === null ? "" : ` v${oldest.sop_version}`}`;
      const { sop_id, week: oldest_week } = oldest;
      return [{ about, sop_id, unverified: done - verified - refuted, oldest_week }];
    })
    .sort((a, b) => b.unverified - a.unverified || a.oldest_week.localeCompare(b.oldest_week))
    .slice(0, SHOWN);
}

/** Keys that were taught more than once, or whose version was rejected. */
export function repeatedIn(tallies: readonly KeyedTally[]) {
  return [...Map.groupBy(tallies, keyOf)]
    .map(([about, of_key]) => ({ about, ...sum(of_key) }))
    .filter(({ taught, turned_down }) => taught > 1 || (taught > 0 && turned_down > 0))
    .map(({ about, taught, turned_down }) => ({ about, taught, turned_down }))
    .sort((a, b) => b.taught - a.taught || b.turned_down - a.turned_down)
    .slice(0, SHOWN);
}

/** The same steps under several targets hint that an attribute of the target is missing in them. */
export function sameStepsIn(versions: readonly ListedVersion[]) {
  const active = versions.filter(({ status }) => status === "active");
  return [...Map.groupBy(active, ({ intent, steps_digest }) => `${intent} ${steps_digest}`).values()]
    .filter((same) => same.length >= SAME_UNDER)
    .map((same) => ({
      intent: same[0]?.intent ?? "",
      targets: same.map(({ target_signature }) => target_signature).sort(),
    }))
    .sort((a, b) => b.targets.length - a.targets.length)
    .slice(0, SHOWN);
}

export function standingOf(versions: readonly ListedVersion[]) {
  const candidates = versions.filter(({ status }) => status === "candidate").map(({ created_at }) => created_at);
  return {
    active: versions.filter(({ status }) => status === "active").length,
    candidates: candidates.length,
    oldest_candidate_at: candidates.sort()[0] ?? null,
  };
}
