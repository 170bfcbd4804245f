// Decides whether a run failed for a temporary reason of its environment, which says nothing of the procedure [7.10.temporary].
import type { JournalEvent } from "../journal.ts";
import type { StepResult } from "../step.ts";
import { lastOf } from "./last-event.ts";

type Failure = Pick<StepResult, "stdout" | "stderr" | "timed_out">;

/** What a program says where its request never reached the other side, or was turned away before it was accepted. */
const NEVER_SENT = [
  /connection ?refused|ECONNREFUSED/i,
  /no route to host|host is unreachable|network is (unreachable|down)|E(HOST|NET)UNREACH/i,
  /(failed|could ?n.t|unable|cannot) (to )?connect (to|:)/i,
  /connect\b.*(timed out|timeout)|connection timed out/i,
  /temporary failure in name resolution|could ?n.t resolve|could not resolve host|name or service not known|nodename nor servname|no such host|server misbehaving|EAI_AGAIN|ENOTFOUND/i,
  /\b429\b.*too many requests|too many requests|rate limit exceeded|toomanyrequests/i,
  /could not get lock|unable to acquire .*lock|lock held by|index\.lock|database is locked/i,
  /resource temporarily unavailable|device or resource busy|text file busy|\bEAGAIN\b|\bEBUSY\b/i,
];

/** A program says last why it ended, some with a stack of calls. What it has coped with comes before. */
const LAST_LINES = 12;

export function isTemporary({ stdout, stderr, timed_out }: Failure): boolean {
  const text = stderr.trim() === "" ? stdout : stderr;
  const last = text.trimEnd().split("\n").slice(-LAST_LINES).join("\n");
  return !timed_out && NEVER_SENT.some((pattern) => pattern.test(last));
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
