// How far a procedure has come, read from the journal alone. This is what makes a restart safe: a finished step is never
// run again, a step that was started and not finished is run again only when it changes nothing (design: journal).
import { isJobFailure, type Job, type JobEnd, type JobFailure } from "../domain/job.ts";
import { type EventBody, eventsOf, type JournalEvent, lastOf, type Procedure } from "../domain/journal.ts";
import { type Step, type StepResult, unfinished } from "../domain/step.ts";
import { hasActed } from "./skill-steps.ts";

export type Progress =
  /**
   * `started_at` tells when an interrupted check or wait began. With a job the step, and those behind it, were handed over
   * and the job is to be found again.
   */
  | {
      readonly is: "ready";
      readonly index: number;
      readonly attempt: number;
      readonly started_at?: string;
      readonly job?: Job | undefined;
    }
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
  job: Job | undefined;
};

export const procedureOf = (events: readonly JournalEvent[]): Procedure | undefined =>
  lastOf(events, "taught") ?? lastOf(events, "sop_pinned");

export function progressOf(events: readonly JournalEvent[], steps: readonly Step[]): Progress {
  const marks = marksOf(events);
  for (const [index, step] of steps.entries()) {
    const mark = marks.get(index);
    if (mark === undefined) return { is: "ready", index, attempt: 1 };
    const { attempt, state, settled, started_at, repeatable, job } = mark;
    if (state === "again") return { is: "ready", index, attempt: attempt + 1 };
    if (state === "failed") return { is: "broken", index, attempt, settled };
    if (state === "unknown") return { is: "outcome_unknown", index, attempt };
    if (state === "started") {
      if (job !== undefined) return { is: "ready", index, attempt, started_at, job };
      const harmless = step.kind === "check" || step.kind === "wait" || repeatable;
      return harmless ? { is: "ready", index, attempt, started_at } : { is: "outcome_unknown", index, attempt };
    }
  }
  return jobFailureOf(events) === null ? { is: "completed" } : { ...lastStep(marks), is: "broken", settled: true };
}

const lastStep = (marks: ReadonlyMap<number, Mark>) => {
  const index = Math.max(0, ...marks.keys());
  return { index, attempt: marks.get(index)?.attempt ?? 1 };
};

/** How the last job failed the task, whatever its steps say; null once a step of it was settled or is to run again. */
export function jobFailureOf(events: readonly JournalEvent[]): (JobEnd & { readonly code: JobFailure }) | null {
  let failure: (JobEnd & { readonly code: JobFailure }) | null = null;
  for (const { kind, body } of events) {
    if (kind === "job_ended") failure = isJobFailure(body.code) ? { ...body, code: body.code } : null;
    else if (REOPENS.has(kind)) failure = null;
  }
  return failure;
}

const REOPENS: ReadonlySet<JournalEvent["kind"]> = new Set(["step_started", "step_resolved", "retry_granted"]);

function marksOf(events: readonly JournalEvent[]): Map<number, Mark> {
  const marks = new Map<number, Mark>();
  const turn = (index: number, state: Mark["state"], settled = false) => {
    const mark = marks.get(index);
    if (mark !== undefined) marks.set(index, { ...mark, state, settled });
  };
  for (const event of events) {
    if (event.kind === "step_started") {
      const { index, attempt, repeatable = false, job } = event.body;
      const before = marks.get(index);
      const resumed = before?.state === "started" && before.attempt === attempt;
      const started_at = resumed ? before.started_at : event.at;
      marks.set(index, { attempt, state: "started", settled: false, started_at, repeatable, job });
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
  hasActed(events) || events.some((event) => event.kind === "step_started");

/** The last word on every step that was started, in plan order. */
export function stepResultsOf(
  events: readonly JournalEvent[],
  steps: readonly (Pick<StepResult, "kind"> | undefined)[],
): StepResult[] {
  const results = new Map<number, StepResult>();
  for (const event of events) {
    if (event.kind === "step_started") {
      const { index, attempt } = event.body;
      results.set(index, unfinished({ index, attempt, kind: steps[index]?.kind ?? "cmd", started_at: event.at }));
    } else if (event.kind === "step_finished") {
      results.set(event.body.index, event.body);
    } else if (event.kind === "step_resolved") {
      const result = results.get(event.body.index);
      if (result !== undefined) results.set(event.body.index, resolved(result, event.body));
    }
  }
  return [...results.values()].sort((a, b) => a.index - b.index);
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
