// The difference of two versions, step by step.
import { expect, test } from "vitest";
import { stepDiff } from "../../../../src/engine/tasks/sop-proof.ts";
import { check, cmd } from "../../../support/builders.ts";

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
