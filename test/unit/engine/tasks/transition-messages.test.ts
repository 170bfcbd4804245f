// What transitions say to the supervisor, and that they write nothing beside it.
import { describe, expect, test } from "vitest";
import { answerApproval, answerConflict, approvalConflict } from "../../../../src/engine/tasks/answer-pause.ts";
import { acceptConflict, cancel, cancelConflict } from "../../../../src/engine/tasks/transitions.ts";
import { AT, aContract } from "../../../support/builders.ts";
import { ACCEPTED, APPROVED, anApproval, LATER, RESOLUTION, TEACHING, taskIn } from "./a-task.ts";

describe("a cancellation", () => {
  test.each([
    [null, null, "The supervisor cancelled the task."],
    ["too late", null, "The supervisor cancelled the task: too late."],
    [null, "job 7 was asked to end", "The supervisor cancelled the task: job 7 was asked to end."],
    ["too late", "job 7 may still run", "The supervisor cancelled the task: too late; job 7 may still run."],
  ])("for the reason %j and the job %j says both", (reason, job, message) => {
    const cancelled = cancel(ACCEPTED, { reason, job, at: AT, withdrawn: [], restored: null });
    expect(cancelled).toMatchObject({
      events: [
        { kind: "cancel_requested", body: { reason } },
        { kind: "reported", body: { message } },
      ],
      changes: [{ on: "task", set: { outcome: { message } } }, { on: "target_freed" }],
    });
    expect(JSON.stringify(cancelled)).toContain(ACCEPTED.task_id);
  });
});

describe("a refusal", () => {
  test.each([
    [
      () => acceptConflict(ACCEPTED, aContract({ payload: { x: 1 } })),
      "Task t-1 exists with another contract; use a new task_id.",
    ],
    [() => cancelConflict(taskIn("ok")), "Task t-1 has ended already."],
    [() => answerConflict(taskIn("need_input", RESOLUTION), "teaching"), "Task t-1 does not wait to be taught."],
    [() => answerConflict(taskIn("need_input", TEACHING), "resolution"), "Task t-1 does not ask about that step."],
    [
      () => answerApproval(anApproval({ interrupt_id: null }), APPROVED, LATER),
      "Approval a-1 is still being prepared; ask again in a moment.",
    ],
    [() => approvalConflict(anApproval({ status: "expired" }), "approved"), "Approval a-1 is expired already."],
  ])("is a sentence: %#", (refused, message) => {
    expect(refused()).toMatchObject({ message });
  });
});
