import { expect, test } from "vitest";
import { invalidInput } from "../../../../src/api/operations/operation.ts";
import { intentIssues } from "../../../../src/api/operations/submit-task.ts";

const wrongIn = intentIssues({ intents: new Set(["deploy", "restart"]) });

test("an unknown intent is answered with the known ones", () => {
  expect(wrongIn({ intent: "fly" })).toEqual([
    { path: "intent", message: "is not a known intent; use one of deploy, restart" },
  ]);
});

test("an answer names up to twenty wrong fields", () => {
  const issues = Array.from({ length: 23 }, (_, n) => ({ path: `f${n}`, message: "is required" }));
  const { message } = invalidInput({ name: "teach" }, issues);
  expect(message).toContain("f19 is required; and 3 more.");
});
