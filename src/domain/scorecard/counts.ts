// What is counted of each task: numbers that are added up for any group of tasks. Every rule is applied when a task is folded, so
// the database only adds (D-288).
import { z } from "zod";
import { type EventBody, type EventKind, endsTask, type JournalEvent } from "../journal.ts";
import type { EndStatus } from "../outcome.ts";
import type { ReasonCode } from "../reason-code.ts";

// What became of the version that a task proved, or made by update_sop.

export const CANDIDATE_ENDS = ["open", "promoted", "rejected"] as const;

/** Null where the task made no version. `promotion` is the journal of the thread on which that version was asked about. */
export function candidateOf(
  events: readonly JournalEvent[],
  promotion: readonly JournalEvent[],
): (typeof CANDIDATE_ENDS)[number] | null {
  const moves = events.flatMap((event) => (event.kind === "sop_changed" ? [event.body] : []));
  const made = moves.find(({ status }) => status === "candidate");
  if (made === undefined) return null;
  // A replacement is settled by its own task.
  const settled = moves.findLast(({ sop_id, status }) => sop_id === made.sop_id && status !== "candidate");
  if (settled !== undefined) return settled.status === "active" ? "promoted" : "rejected";
  const end = promotion.find(endsTask);
  if (end?.kind !== "reported") return "open";
  return end.body.status === "ok" ? "promoted" : "rejected";
}

/** The version that a task made and that has a promotion of its own. */
export const candidateIn = (events: readonly JournalEvent[]): string | null =>
  events.flatMap((event) => (event.kind === "sop_changed" && event.body.status === "candidate" ? [event.body] : []))[0]
    ?.sop_id ?? null;

const Count = z.int().min(0);
const Ms = z.number().min(0);

export const Counts = z.strictObject({
  done: Count,
  done_unseen: Count.describe("DONE with a check that was never seen to fail"),
  verified: Count.describe("DONE, and an external verification agreed"),
  refuted: Count.describe("DONE, and an external verification disagreed: a false success"),
  taught: Count.describe("its steps were taught to it"),
  taught_done: Count,
  without_sop: Count.describe("it found no active procedure"),
  promoted: Count.describe("it made a version that became active"),
  turned_down: Count.describe("it made a version that was rejected"),
  handed_back: Count.describe("it gave work back: need_input, or blocked because no procedure was known"),
  asked: Count.describe("it asked the supervisor anything"),
  questions: Count.describe("pauses for input"),
  approvals: Count.describe("approvals that were requested"),
  refused: Count.describe("approvals that were rejected or expired"),
  hasty: Count.describe("approvals given within 10 seconds of being shown"),
  steps: Count.describe("starts of steps"),
  retries: Count,
  unknown_succeeded: Count.describe("steps of unknown outcome, by what they were resolved as"),
  unknown_failed: Count,
  unknown_retry: Count,
  unknown_open: Count.describe("the task ended without an answer"),
  gate_errors: Count.describe("failures that the routing model was asked about"),
  gate_error_fallbacks: Count,
  gate_right: Count.describe("called transient, and the retry passed"),
  gate_wrong: Count.describe("called transient, and the retry failed"),
  gate_approvals: Count.describe("commands that it was asked about"),
  gate_approval_fallbacks: Count,
  gate_allowed: Count,
  gate_asked: Count.describe("a human was asked because of its answer"),
  gate_useful: Count.describe("of those: the human rejected"),
  broken: Count.describe("broken promises"),
  queued_ms: Ms,
  waited_ms: Ms.describe("for answers"),
  active_ms: Ms,
});
export type Counts = z.infer<typeof Counts>;

/** Of how many tasks, and what they have together. */
export type ScoreTally = Counts & { tasks: number };

export const NOTHING: ScoreTally = {
  tasks: 0,
  ...(Object.fromEntries(Object.keys(Counts.shape).map((name) => [name, 0])) as Counts),
};

const NAMES = Object.keys(NOTHING) as (keyof ScoreTally)[];

export function sum(tallies: readonly ScoreTally[]): ScoreTally {
  const total = { ...NOTHING };
  for (const tally of tallies) for (const name of NAMES) total[name] += tally[name];
  return total;
}

// The numbers of one task: each rule, applied to its journal.

type Facts = {
  readonly status: EndStatus;
  readonly reason_code: ReasonCode;
  readonly candidate: ReturnType<typeof candidateOf>;
  readonly external: boolean | null;
  readonly checks_unseen: number;
  readonly broken: number;
};

export function countsOf(events: readonly JournalEvent[], facts: Facts): Counts {
  const { status, reason_code, candidate, external, checks_unseen, broken } = facts;
  const count = (...kinds: EventKind[]) => events.filter(({ kind }) => kinds.includes(kind)).length;
  const asked = questionsIn(events);
  const is_done = status === "ok";
  const is_taught = count("taught") > 0;
  const without_sop = reason_code === "sop_not_found" || events.some(asksForSteps);
  return {
    done: one(is_done),
    done_unseen: one(is_done && checks_unseen > 0),
    verified: one(is_done && external === true),
    refuted: one(is_done && external === false),
    taught: one(is_taught),
    taught_done: one(is_taught && is_done),
    without_sop: one(without_sop),
    promoted: one(candidate === "promoted"),
    turned_down: one(candidate === "rejected"),
    handed_back: one(asked.questions > 0 || reason_code === "sop_not_found"),
    asked: one(asked.questions + asked.approvals > 0),
    ...asked,
    steps: count("step_started", "skill_step_started"),
    retries: count("retry_granted"),
    ...unknownOutcomesIn(events),
    ...gateCountsIn(events),
    broken,
    ...timesOf(events),
  };
}

const one = (holds: boolean): number => (holds ? 1 : 0);

const asksForSteps = (event: JournalEvent): boolean =>
  event.kind === "reported" && event.body.reason_code === "sop_unknown";

// What a task asked: the supervisor for input, and a human for approvals.

/** An approval that comes faster has hardly been read. */
const READING_MS = 10_000;

function questionsIn(events: readonly JournalEvent[]) {
  const found = { questions: 0, approvals: 0, refused: 0, hasty: 0 };
  let shown = 0;
  for (const event of events) {
    if (event.kind === "approval_requested") found.approvals += 1;
    if (event.kind === "reported" && !endsTask(event)) {
      if (event.body.status === "need_input") found.questions += 1;
      shown = Date.parse(event.at);
    }
    if (event.kind !== "approval_decided") continue;
    if (event.body.status !== "approved") found.refused += 1;
    else if (Date.parse(event.at) - shown < READING_MS) found.hasty += 1;
  }
  return found;
}

// Steps of which it was not known whether they had their effect, and what became of them.

export function unknownOutcomesIn(events: readonly JournalEvent[]) {
  const found = { unknown_succeeded: 0, unknown_failed: 0, unknown_retry: 0 };
  const open = new Set<number>();
  for (const event of events) {
    switch (event.kind) {
      case "step_started":
      case "skill_step_started":
        // What only reads, or may run twice, runs again instead.
        if (event.body.repeatable !== true) open.add(event.body.index);
        break;
      case "skill_step_finished":
        open.delete(event.body.index);
        break;
      case "step_finished":
        if (event.body.status === "outcome_unknown") open.add(event.body.index);
        else open.delete(event.body.index);
        break;
      case "step_resolved":
        found[`unknown_${event.body.resolution}`] += 1;
        open.delete(event.body.index);
        break;
      case "step_reconciled":
        if (event.body.settles === null) break;
        found[`unknown_${event.body.settles}`] += 1;
        open.delete(event.body.index);
        break;
    }
  }
  return { ...found, unknown_open: open.size };
}

// Where the time of a task went: it was queued until a server took it up, it waited for an answer, the rest it worked.

type TaskTimes = { readonly queued_ms: number; readonly waited_ms: number; readonly active_ms: number };

const ANSWERS: ReadonlySet<EventKind> = new Set([
  // What it asked for has come into use without an answer.
  "taken_up",
  "taught",
  "approval_decided",
  "step_resolved",
  "unparked",
  "cancel_requested",
]);

/** From the acceptance to the end, which the events contain. */
function timesOf(events: readonly JournalEvent[]): TaskTimes {
  const [first] = events;
  const accepted = first === undefined ? 0 : Date.parse(first.at);
  let claimed: number | null = null;
  let asked: number | null = null;
  let ended = accepted;
  let waited_ms = 0;
  for (const event of events) {
    const at = Date.parse(event.at);
    const isEnd = endsTask(event);
    if (event.kind === "taken_up") claimed ??= at;
    if (asked !== null && (isEnd || ANSWERS.has(event.kind))) {
      waited_ms += at - asked;
      asked = null;
    }
    if (event.kind === "reported" && !isEnd) asked = at;
    if (isEnd) {
      ended = at;
      break;
    }
  }
  const queued_ms = (claimed ?? ended) - accepted;
  // A clock that was set back takes nothing from another part.
  const active_ms = Math.max(0, ended - accepted - queued_ms - waited_ms);
  return { queued_ms: Math.max(0, queued_ms), waited_ms: Math.max(0, waited_ms), active_ms };
}

// How good the routing model's answers were, as far as a journal knows [4.gate.error] [4.gate.approval]. "Transient" is right when
// the retry passes. "Unknown", and "no approval is needed", have no truth on record and are only counted.

function gateCountsIn(events: readonly JournalEvent[]) {
  const errors = { gate_errors: 0, gate_error_fallbacks: 0, gate_right: 0, gate_wrong: 0 };
  const approvals = {
    gate_approvals: 0,
    gate_approval_fallbacks: 0,
    gate_allowed: 0,
    gate_asked: 0,
    gate_useful: 0,
  };
  const granted = new Set<number>();
  let undecided = 0;
  const answered = (body: EventBody<"gate_answered">): void => {
    const { question, fallback } = body;
    if (question === "error") {
      errors.gate_errors += 1;
      errors.gate_error_fallbacks += fallback === null ? 0 : 1;
      return;
    }
    const asks = isAsking(body);
    approvals.gate_approvals += 1;
    approvals.gate_approval_fallbacks += fallback === null ? 0 : 1;
    approvals[asks ? "gate_asked" : "gate_allowed"] += 1;
    undecided += asks ? 1 : 0;
  };
  for (const [position, event] of events.entries()) {
    switch (event.kind) {
      case "gate_answered":
        answered(event.body);
        break;
      case "retry_granted":
        // A retry that the model has granted is committed with its answer.
        if (events[position - 1]?.kind === "gate_answered") granted.add(event.body.index);
        break;
      case "step_finished":
        if (granted.delete(event.body.index)) errors[event.body.status === "passed" ? "gate_right" : "gate_wrong"] += 1;
        break;
      case "approval_decided":
        if (event.body.status === "rejected") approvals.gate_useful += undecided;
        undecided = 0;
        break;
    }
  }
  return { ...errors, ...approvals };
}

const NotNeeded = z.looseObject({ requires_approval: z.literal(false) });

const isAsking = ({ answer }: EventBody<"gate_answered">): boolean => !NotNeeded.safeParse(answer).success;
