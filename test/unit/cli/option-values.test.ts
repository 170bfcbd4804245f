import { expect, test } from "vitest";
import { choiceOf } from "../../../src/cli/option-values.ts";
import { LABELS, TASK_STATUSES } from "../../../src/domain/outcome.ts";

test.each(TASK_STATUSES)("the status %s is understood in any case, and as its label", (status) => {
  for (const given of [status, status.toUpperCase(), LABELS[status], LABELS[status].toLowerCase()])
    expect(choiceOf(TASK_STATUSES, given)).toBe(status);
});

test("a label is no choice where its status is none", () => {
  expect(() => choiceOf(["pending", "approved"], "DONE")).toThrow("Allowed choices are pending, approved.");
});
