// What a human is shown of a version that asks for its promotion: its difference, its literals and its warnings.
import { expect, test } from "vitest";
import type { SopProof } from "../../../../src/domain/sop.ts";
import { proofWarnings, stepDiff, targetLiterals } from "../../../../src/engine/tasks/sop-proof.ts";
import { check, cmd, mcpCall } from "../../../support/builders.ts";

test("names every step that is only in one of the versions, by its index there", () => {
  const older = [cmd("stop"), cmd("copy"), cmd("start"), check("test -f a")];
  const newer = [cmd("stop"), cmd("start"), cmd("warm up"), check("test -f b")];
  expect(stepDiff(older, newer)).toEqual([
    { is: "removed", step_index: 1, step: "cmd copy" },
    { is: "removed", step_index: 3, step: "check test -f a" },
    { is: "added", step_index: 2, step: "cmd warm up" },
    { is: "added", step_index: 3, step: "check test -f b" },
  ]);
});

test("sees a change of kind, of an argument and of a preview", () => {
  const plan = { kind: "cmd" as const, value: "terraform apply", preview: "terraform plan" };
  expect(stepDiff([cmd("uptime")], [check("uptime")]).map(({ step }) => step)).toEqual(["cmd uptime", "check uptime"]);
  expect(stepDiff([cmd("terraform apply")], [plan]).map(({ step }) => step)).toEqual([
    "cmd terraform apply",
    "cmd terraform apply (preview: terraform plan)",
  ]);
});

const WEB = { service: "web", host: "alpha", port: "8" };
const DB = { service: "db", host: "alpha", port: "9" };
const found = (...steps: Parameters<typeof targetLiterals>[0]) =>
  targetLiterals(steps, WEB, DB).map(({ step_index, key, value }) => `${step_index} ${key}=${value}`);

test("are found in commands, checks, previews, arguments and expectations", () => {
  const plan = { kind: "cmd" as const, value: "terraform apply", preview: "terraform plan -target web" };
  const call = mcpCall({ server: "home", tool: "dim", arguments: { of: ["x", "web"] } });
  expect(found(cmd("docker restart web"), check("curl -f http://web/health"), plan, call)).toEqual([
    "0 service=web",
    "1 service=web",
    "2 service=web",
    "3 service=web",
  ]);
});

test.each([
  ["is a parameter", 'docker restart "$ORCH_TARGET_SERVICE"'],
  ["is within a longer word", "docker restart webhook cobweb web_1"],
  ["is the same for both targets", "ssh alpha uptime"],
  ["is too short to be no accident", "sleep 8"],
])("are none where the value %s", (_name, command) => {
  expect(found(cmd(command), { kind: "wait", value: "5s" })).toEqual([]);
});

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
