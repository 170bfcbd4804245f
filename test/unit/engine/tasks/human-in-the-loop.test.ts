// Answers from Studio and agent inboxes: what is not understood is asked again.
import { describe, expect, test } from "vitest";
import { outcome } from "../../../../src/domain/outcome.ts";
import { Decidable, question, readDecision, readEdit } from "../../../../src/engine/tasks/human-in-the-loop.ts";

describe("a decision", () => {
  test.each([
    { decisions: [{ type: "approve" }] },
    [{ type: "accept", args: null }],
    [{ type: "accept", args: { action: "approve_plan", args: { digest: "d" } } }],
    { type: "approve", message: "go" },
    { decision: "approve" },
    { decisions: [{ type: "approve", args: { action: "approve_plan", args: {} } }] },
    [{ type: "response", args: " Approve " }],
    "Approve",
    "accept",
  ])("like %j is an approval", (answer) => {
    expect(readDecision(answer)?.decision).toBe("approve");
  });

  test.each([
    { decisions: [{ type: "reject" }] },
    [{ type: "response", args: "Reject" }],
    { decision: "reject", reason: "no" },
    { decisions: [{ type: "approve" }], type: "reject" },
    { decisions: [{ type: "reject", args: "not today" }] },
    [{ type: "ignore", args: null }],
    { decisions: [{ type: "ignore", args: null }] },
    "reject",
  ])("like %j is a rejection", (answer) => {
    expect(readDecision(answer)?.decision).toBe("reject");
  });

  test.each([
    { type: "edit", message: "approve" },
    { decisions: [{ type: "edit", editedAction: { name: "approve_plan", args: {} } }] },
    { decisions: [{ type: "approve" }, { type: "approve" }] },
    { decisions: [] },
    { decision: "yes" },
    { decisions: [{ type: "reject", args: "approve" }] },
    { type: "reject", message: "Accept" },
    [{ type: "response", args: "yes, approve it" }],
    [{ type: "response", args: { decision: "approve" } }],
    "yes, please",
    true,
    null,
    {},
  ])("is not what %j says, so the question stays open", (answer) => {
    expect(readDecision(answer)).toBeNull();
    expect(Decidable.safeParse(answer).success).toBe(false);
  });
});

describe("an edit", () => {
  const args = { resolution: "retry" };

  test.each([
    { decisions: [{ type: "edit", editedAction: { name: "resolve_step", args } }] },
    { decisions: [{ type: "edit", edited_action: { name: "resolve_step", args } }] },
    { decisions: [{ type: "edit", edited_action: { name: "resolve_step", arguments: args } }] },
    [{ type: "edit", args: { action: "resolve_step", args } }],
    { type: "edit", args: { action: "resolve_step", args } },
    [{ type: "accept", args: { action: "resolve_step", args } }],
    args,
  ])("is read from %j", (answer) => {
    expect(readEdit(answer)).toEqual(args);
  });

  test("may bring back the arguments that were offered, as they were", () => {
    const offered = { task_id: "t-1", target: { service: "web" } };
    const edited = { type: "edit", args: { action: "teach", args: { ...offered, steps: [1] } } };
    expect(readEdit(edited, offered)).toEqual({ steps: [1] });
    const asText = { ...offered, target: '{ "service": "web" }', steps: "[1]", note: "[" };
    const fromInbox = { decisions: [{ type: "edit", args: { action: "teach", args: asText } }] };
    expect(readEdit(fromInbox, offered)).toEqual({ steps: [1], note: "[" });
    const other = { type: "edit", args: { action: "teach", args: { ...offered, task_id: "t-2", steps: [1] } } };
    expect(readEdit(other, offered)).toEqual({ task_id: "t-2", steps: [1] });
  });
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
