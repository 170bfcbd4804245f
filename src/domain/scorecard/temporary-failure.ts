// Decides whether a run failed for a temporary reason of its environment, which says nothing of the procedure [7.10.temporary].
import { reportsNothingDone } from "../failure-signs.ts";
import { type JournalEvent, lastOf } from "../journal.ts";
import type { StepResult } from "../step.ts";

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
      kind === "step_finished" && body.kind !== "check" && body.kind !== "wait" && body.status === "passed",
  );
  return failedTemporarily(events) && (failed?.kind !== "check" || !hasActed);
}

function failedStepIn(events: readonly JournalEvent[]): StepResult | null {
  const verdict = lastOf(events, "verdict_reached");
  if (verdict === null || verdict.passed) return null;
  const of_step = events.filter(({ kind, body }) => kind === "step_finished" && body.index === verdict.step_index);
  return lastOf(of_step, "step_finished");
}
