// Answers from Studio and agent inboxes: what is not plainly an approval is none.
import { describe, expect, test } from "vitest";
import { outcome } from "../../../src/domain/outcome.ts";
import { question, readDecision, readEdit } from "../../../src/tasks/human-in-the-loop.ts";

describe("a decision", () => {
  test.each([
    { decisions: [{ type: "approve" }] },
    [{ type: "accept", args: null }],
    { type: "approve", message: "go" },
  ])("like %j is an approval", (answer) => {
    expect(readDecision(answer).decision).toBe("approve");
  });

  test.each([
    { decisions: [{ type: "reject" }] },
    [{ type: "ignore" }],
    { type: "edit", message: "approve" },
    { decisions: [{ type: "approve" }, { type: "approve" }] },
    { decisions: [] },
    { decisions: [{ type: "approve" }], type: "reject" },
    "approve",
    true,
    null,
    {},
  ])("like %j is a rejection", (answer) => {
    expect(readDecision(answer).decision).toBe("reject");
  });

  test("keeps what the human said, and says so when nothing was understood", () => {
    const reject = { type: "reject", message: "not today" };
    expect(readDecision({ decisions: [reject] }).reason).toBe("not today");
    expect(readDecision("approve").reason).toBe("the answer was not understood");
  });
});

test("an edit is read from its wrapping, or as it is", () => {
  const args = { resolution: "retry" };
  expect(readEdit({ decisions: [{ type: "edit", editedAction: { name: "resolve_step", args } }] })).toEqual(args);
  expect(readEdit(args)).toEqual(args);
});

test("a question shows its action in both spellings, with the outcome that it pauses with", () => {
  const paused = outcome("need_input", "sop_unknown", "Teach one.", { thread_id: "t-1" });
  const action = { name: "teach", args: { steps: [] }, description: "Teach one." };
  expect(question(paused, { kind: "teaching" }, action, ["edit"])).toMatchObject({
    outcome: paused,
    waiting: { kind: "teaching" },
    actionRequests: [{ name: "teach", args: { steps: [] } }],
    action_requests: [{ name: "teach", arguments: { steps: [] } }],
    reviewConfigs: [{ actionName: "teach", allowedDecisions: ["edit"] }],
    review_configs: [{ action_name: "teach", allowed_decisions: ["edit"] }],
  });
});
