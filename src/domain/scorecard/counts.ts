// What is counted of each task: numbers that are added up for any group of tasks. Every rule is applied when a task is folded, so
// the database only adds (D-288).
import { z } from "zod";

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
