// What a human has to know first about a version that asks for its promotion.
import { expect, test } from "vitest";
import type { SopProof } from "../../../../src/domain/sop.ts";
import { proofWarnings } from "../../../../src/engine/tasks/sop-proof.ts";

const RUN: SopProof["runs"][number] = { task_id: "t-1", ended_at: null, passed: true, checks: [], verified: null };
const CHECK: SopProof["checks"][number] = {
  step_index: 1,
  criterion: null,
  class: "proved",
  seen_red: ["control"],
  reason: null,
  now: "red",
};
const KNOWN = {
  level: "proved",
  proved_on: null,
  compared_to: null,
  diff: null,
  checks: [CHECK],
  runs: [RUN],
  steps: [
    { step_index: 0, change: "changes", preview: null },
    { step_index: 1, change: "looks", preview: null },
  ],
} as const satisfies Omit<SopProof, "warnings" | "runs"> & { runs: unknown[] };

const warned = (over: Partial<SopProof>) => proofWarnings({ ...KNOWN, runs: [RUN], steps: [...KNOWN.steps], ...over });

test("nothing of a version that a run has proved", () => {
  expect(warned({})).toEqual([]);
  expect(warned({ level: "tried" }), "a run has passed").toEqual([]);
});

test.each<[string, Partial<SopProof>, string]>([
  ["that no run has passed", { level: "tried", runs: [] }, "No run of it has passed yet."],
  [
    "that a copy has not run here",
    { level: "tried", runs: [], proved_on: "service=web" },
    'No run of it has passed on this target; it is a copy of a procedure that was proved on "service=web".',
  ],
  ["that a run failed", { runs: [{ ...RUN, passed: false }] }, "Its run in task t-1 failed."],
  ["that a run was found wrong", { runs: [{ ...RUN, verified: false }] }, "Task t-1 was found wrong outside of orch."],
  [
    "that a check is worth little",
    { checks: [{ ...CHECK, class: "unproved", reason: "it also passes on an empty machine" }] },
    "Check step 1 is unproved: it also passes on an empty machine.",
  ],
  [
    "that policy does not know a step",
    { steps: [{ step_index: 0, change: "cannot_tell", preview: null }] },
    "Policy cannot tell whether step 0 changes something.",
  ],
  [
    "that all checks are true before it has run",
    { runs: [], checks: [{ ...CHECK, now: "green" }] },
    "All its checks are true on the target before it has run there.",
  ],
])("%s", (_name, over, warning) => {
  expect(warned(over)).toEqual([warning]);
});

test("nothing of checks that were not looked at, and nothing of their answers once it has run", () => {
  expect(warned({ checks: [{ ...CHECK, class: null, now: null }] })).toEqual([]);
  expect(warned({ checks: [{ ...CHECK, now: "green" }] })).toEqual([]);
  expect(warned({ checks: [], runs: [] })).toEqual([]);
});
