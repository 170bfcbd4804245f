// How far a procedure has come, read from the journal alone. This is what makes a restart safe: a finished step is never
// run again, a step that was started and not finished is run again only when it changes nothing (design: journal).
import { type EventBody, eventsOf, type JournalEvent, lastOf, type Procedure } from "./journal.ts";
import type { Step, StepResult } from "./step.ts";

export type Progress =
  /** `started_at` tells when an interrupted check or wait began. */
  | { readonly is: "ready"; readonly index: number; readonly attempt: number; readonly started_at?: string }
  /** The step failed; `settled` when the supervisor said so, which leaves nothing to classify. */
  | { readonly is: "broken"; readonly index: number; readonly attempt: number; readonly settled: boolean }
  | { readonly is: "outcome_unknown"; readonly index: number; readonly attempt: number }
  | { readonly is: "completed" };

type Mark = {
  attempt: number;
  state: "started" | "passed" | "failed" | "again" | "unknown";
  settled: boolean;
  started_at: string;
  repeatable: boolean;
};

export const procedureOf = (events: readonly JournalEvent[]): Procedure | undefined =>
  lastOf(events, "taught") ?? lastOf(events, "sop_pinned");

export function progressOf(events: readonly JournalEvent[], steps: readonly Step[]): Progress {
  const marks = marksOf(events);
  for (const [index, step] of steps.entries()) {
    const mark = marks.get(index);
    if (mark === undefined) return { is: "ready", index, attempt: 1 };
    const { attempt, state, settled, started_at, repeatable } = mark;
    if (state === "again") return { is: "ready", index, attempt: attempt + 1 };
    if (state === "failed") return { is: "broken", index, attempt, settled };
    if (state === "unknown") return { is: "outcome_unknown", index, attempt };
    if (state === "started") {
      const harmless = step.kind === "check" || step.kind === "wait" || repeatable;
      return harmless ? { is: "ready", index, attempt, started_at } : { is: "outcome_unknown", index, attempt };
    }
  }
  return { is: "completed" };
}

function marksOf(events: readonly JournalEvent[]): Map<number, Mark> {
  const marks = new Map<number, Mark>();
  const turn = (index: number, state: Mark["state"], settled = false) => {
    const mark = marks.get(index);
    if (mark !== undefined) marks.set(index, { ...mark, state, settled });
  };
  for (const event of events) {
    if (event.kind === "step_started") {
      const { index, attempt, repeatable = false } = event.body;
      const before = marks.get(index);
      const resumed = before?.state === "started" && before.attempt === attempt;
      const started_at = resumed ? before.started_at : event.at;
      marks.set(index, { attempt, state: "started", settled: false, started_at, repeatable });
    } else if (event.kind === "step_finished") {
      turn(event.body.index, stateAfter(event.body));
    } else if (event.kind === "retry_granted") {
      turn(event.body.index, "again");
    } else if (event.kind === "step_resolved") {
      const states = { succeeded: "passed", failed: "failed", retry: "again" } as const;
      turn(event.body.index, states[event.body.resolution], true);
    }
  }
  return marks;
}

/** A tool call that got no answer has ended for us; whether it took effect is another matter. */
function stateAfter({ status }: StepResult): Mark["state"] {
  if (status === "passed") return "passed";
  return status === "outcome_unknown" ? "unknown" : "failed";
}

/** Whether any step may have had an effect: from then on the target is not free for another task. */
export const hasStarted = (events: readonly JournalEvent[]): boolean =>
  events.some((event) => event.kind === "step_started");

/** The last word on every step that was started, in plan order. */
export function stepResultsOf(events: readonly JournalEvent[], steps: readonly Step[]): StepResult[] {
  const results = new Map<number, StepResult>();
  for (const event of events) {
    if (event.kind === "step_started") {
      const { index, attempt } = event.body;
      results.set(index, unfinished(index, attempt, steps[index]?.kind ?? "cmd", event.at));
    } else if (event.kind === "step_finished") {
      results.set(event.body.index, event.body);
    } else if (event.kind === "step_resolved") {
      const result = results.get(event.body.index);
      if (result !== undefined) results.set(event.body.index, resolved(result, event.body));
    }
  }
  return [...results.values()].sort((a, b) => a.index - b.index);
}

function unfinished(index: number, attempt: number, kind: StepResult["kind"], started_at: string): StepResult {
  return {
    index,
    kind,
    status: "outcome_unknown",
    attempt,
    exit_code: null,
    stdout: "",
    stderr: "",
    stdout_bytes: 0,
    stderr_bytes: 0,
    truncated: false,
    started_at,
    duration_ms: 0,
    timed_out: false,
  };
}

function resolved(result: StepResult, { resolution, reason }: EventBody<"step_resolved">): StepResult {
  const status = ({ succeeded: "passed", failed: "failed", retry: "outcome_unknown" } as const)[resolution];
  return {
    ...result,
    status,
    stderr: `resolved by the supervisor as ${resolution}${reason === null ? "" : `: ${reason}`}`,
  };
}

export const attemptsOf = (events: readonly JournalEvent[]): StepResult[] => eventsOf(events, "step_finished");
