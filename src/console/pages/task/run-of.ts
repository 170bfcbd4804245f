// Derives from the journal what became of the steps of a task, the time that each lane took on a scale with room for all, and what the
// head and the tabs show. What begins and ends on a lane, the server says with each event.
import type { EventBody, JournalEvent } from "../../../domain/journal.ts";
import type { LaneMark } from "../../../domain/timeline.ts";
import type { ShownEvents } from "../../live/use-journal.ts";

export type StepAttempt = {
  readonly index: number;
  readonly attempt: number;
  readonly started_at: string;
  readonly seq: number;
  readonly result: EventBody<"step_finished"> | null;
  /** It was ended because the task was cancelled: that is no failure of the step. */
  readonly cancelled?: boolean;
};

export type TaskLane = LaneMark["lane"];

export type LaneSpan = {
  readonly lane: TaskLane;
  readonly from: number;
  /** Null while it goes on. */
  readonly to: number | null;
  readonly label: string;
  readonly end?: SpanEnd;
  /** The step that it is of. */
  readonly step?: number;
};

type SpanEnd = "done" | "failed" | "cancelled";

export type TaskRun = {
  /** By step, oldest first. */
  readonly attempts: ReadonlyMap<number, readonly StepAttempt[]>;
  readonly spans: readonly LaneSpan[];
};

export function runOf(events: readonly JournalEvent[], shown: ShownEvents): TaskRun {
  const attempts = new Map<number, StepAttempt[]>();
  const spans: LaneSpan[] = [];
  for (const event of events) {
    for (const mark of shown.get(event.seq)?.lanes ?? []) noteMark(spans, mark);
    noteAttempt(attempts, event, wasCancelled(shown, event));
  }
  return { attempts, spans };
}

function noteMark(spans: LaneSpan[], { lane, at, step, ...mark }: LaneMark): void {
  const time = Date.parse(at);
  const found = spans.findLastIndex((span) => span.lane === lane && span.step === step && span.to === null);
  const open = spans[found];
  const is_end = mark.mark === "end";
  // A wait ends where the next one begins.
  if (open !== undefined && (is_end || step === undefined))
    spans[found] = { ...open, to: Math.max(open.from, time), end: is_end ? mark.ended : "done" };
  if (!is_end) spans.push({ lane, from: time, to: null, label: mark.label, ...(step !== undefined && { step }) });
}

const wasCancelled = (shown: ShownEvents, { seq }: JournalEvent): boolean =>
  shown.get(seq)?.lanes?.some((mark) => mark.mark === "end" && mark.ended === "cancelled") === true;

function noteAttempt(attempts: Map<number, StepAttempt[]>, event: JournalEvent, cancelled: boolean): void {
  if (event.kind === "step_started") {
    const { index, attempt } = event.body;
    const known = attempts.get(index) ?? [];
    // A wait or a check that a stop cut off begins again under its number.
    const others = known.filter((one) => one.attempt !== attempt);
    attempts.set(index, [...others, { index, attempt, started_at: event.at, seq: event.seq, ...NOT_ENDED }]);
  }
  if (event.kind === "step_finished") {
    const { index, attempt } = event.body;
    const known = attempts.get(index) ?? [];
    attempts.set(
      index,
      known.map((one) => (one.attempt === attempt ? { ...one, result: event.body, cancelled } : one)),
    );
  }
}

const NOT_ENDED = { result: null } as const;

/** The first step that failed, by its number. */
export function firstFailure({ attempts }: Pick<TaskRun, "attempts">): number | null {
  const failed = [...attempts].filter(([, all]) => {
    const { result = null, cancelled = false } = all.at(-1) ?? {};
    return result !== null && result.status !== "passed" && !cancelled;
  });
  return failed.map(([index]) => index).sort((a, b) => a - b)[0] ?? null;
}

// A scale of time in which a long wait takes little room: hours of waiting for a person beside seconds of work would leave nothing of
// the work to be seen.

export type TimeScale = {
  /** From 0 to 1. */
  readonly at: (ms: number) => number;
  /** The places where time is left out. */
  readonly breaks: readonly number[];
  readonly from: number;
  readonly to: number;
};

/** What no step and no model works in. */
const IDLE_SHARE = 0.35;
const LEAST_MS = 1_000;

export function timeScale(spans: readonly LaneSpan[], now_ms: number): TimeScale {
  const endOf = ({ to }: LaneSpan) => to ?? now_ms;
  const from = Math.min(...spans.map((span) => span.from), now_ms);
  const to = Math.max(...spans.map(endOf), from + 1);
  const marks = [...new Set([from, to, ...spans.flatMap((span) => [span.from, endOf(span)])])].sort((a, b) => a - b);
  const busy = spans.filter(({ lane }) => lane === "steps" || lane === "model");
  const parts = marks.slice(1).map((end, at) => {
    const begin = marks[at] ?? from;
    return {
      begin,
      end,
      is_busy: busy.some((span) => span.from <= begin && endOf(span) >= end && endOf(span) > span.from),
    };
  });
  const worked = parts.reduce((sum, { begin, end, is_busy }) => sum + (is_busy ? end - begin : 0), 0);
  const most = Math.max(LEAST_MS, worked * IDLE_SHARE);
  let shown = 0;
  const drawn = parts.map((part) => {
    const length = part.end - part.begin;
    const width = part.is_busy ? length : Math.min(length, most);
    const start = shown;
    shown += width;
    return { ...part, start, width, is_cut: width < length };
  });
  const at = (ms: number): number => {
    const part = drawn.find(({ end }) => ms <= end) ?? drawn.at(-1);
    if (part === undefined || shown === 0) return 0;
    const share = part.end === part.begin ? 0 : (Math.max(ms, part.begin) - part.begin) / (part.end - part.begin);
    return (part.start + share * part.width) / shown;
  };
  const breaks = drawn.filter(({ is_cut }) => is_cut).map(({ start, width }) => (start + width / 2) / shown);
  return { at, breaks, from, to };
}

// What the head and the tabs of a task take from its journal: its contract, who ended it, and the steps of its skill.

type Events = readonly JournalEvent[];

export const contractIn = (events: Events): EventBody<"task_accepted">["contract"] | null =>
  events.find((event) => event.kind === "task_accepted")?.body.contract ?? null;

/** Who asked for it at the console is named in it. */
export const cancelReasonIn = (events: Events): string | null =>
  events.findLast((event) => event.kind === "cancel_requested")?.body.reason ?? null;

export const isOfSkill = (events: Events): boolean =>
  events.some(({ kind }) => kind === "skill_step_started" || kind === "skill_ended");

type SkillStep = {
  readonly name: string;
  readonly attempt: number;
  readonly end: EventBody<"skill_step_finished"> | null;
  /** It was ended because the task was cancelled: that is no failure of the step. */
  readonly cancelled: boolean;
};

export function skillStepsIn(events: Events, shown: ShownEvents): ReadonlyMap<number, SkillStep> {
  const steps = new Map<number, SkillStep>();
  for (const event of events) {
    if (event.kind === "skill_step_started") {
      const { index, name, attempt } = event.body;
      steps.set(index, { name, attempt, end: null, cancelled: false });
    }
    if (event.kind === "skill_step_finished") {
      const { index, attempt } = event.body;
      const name = steps.get(index)?.name ?? `step ${index}`;
      steps.set(index, { name, attempt, end: event.body, cancelled: wasCancelled(shown, event) });
    }
  }
  return steps;
}
