// What answers a paused task writes, and what refusals and cancellations say.
import { describe, expect, test } from "vitest";
import { answer, answerApproval, answerConflict, approvalConflict } from "../../../../src/engine/tasks/answer-pause.ts";
import { acceptConflict, cancel, cancelConflict } from "../../../../src/engine/tasks/transitions.ts";
import { AT, aContract } from "../../../support/builders.ts";
import { ACCEPTED, APPROVED, anApproval, LATER, PROCEDURE, RESOLUTION, TEACHING, taskIn } from "./a-task.ts";

const { task_id } = ACCEPTED;

describe("an answer", () => {
  const resolved = { kind: "resolution", resolution: "retry", reason: null } as const;

  test("writes what was taught, and names the interrupt that resumes the thread", () => {
    const answered = answer(taskIn("need_input"), { kind: "teaching", procedure: PROCEDURE });
    expect(answered).toMatchObject({ interrupt_id: "i-1", events: [{ kind: "taught", body: PROCEDURE }] });
  });

  test("resolves the attempt that is asked about, whether its step is named or not", () => {
    const body = { index: 2, attempt: 1, resolution: "retry", reason: null };
    for (const index of [2, undefined]) {
      const answered = answer(taskIn("need_input", RESOLUTION), { ...resolved, index });
      expect(answered).toMatchObject({ events: [{ kind: "step_resolved", body }] });
    }
  });

  test.each([
    ["a resolution of another step", RESOLUTION, { ...resolved, index: 1 }],
    ["a resolution of another attempt of it", RESOLUTION, { ...resolved, index: 2, attempt: 2 }],
    ["a resolution where steps are to be taught", TEACHING, { ...resolved, index: undefined }],
    ["steps where a resolution is asked for", RESOLUTION, { kind: "teaching", procedure: PROCEDURE }],
    ["steps where nothing is asked", null, { kind: "teaching", procedure: PROCEDURE }],
  ] as const)("is refused when it is %s", (_what, waiting, given) => {
    const task = taskIn(waiting === null ? "running" : "need_input", waiting);
    expect(answer(task, given)).toEqual(answerConflict(task, given.kind));
    expect(answerConflict(task, given.kind)).toMatchObject({ code: "task_not_waiting", current: { task_id } });
  });

  test("lets a parked task go on, and says how it is answered where it is answered otherwise", () => {
    const task = taskIn("need_input", { kind: "parked", interrupt_id: "i-1" });
    const answered = answer(task, { ...resolved, index: undefined, reason: "the power failed" });
    expect(answered).toMatchObject({ events: [{ kind: "unparked", body: { reason: "the power failed" } }] });
    for (const other of [{ resolution: "succeeded" as const, index: undefined }, { index: 0 }])
      expect(answer(task, { ...resolved, ...other })).toMatchObject({
        message: `Task ${task_id} is parked: resolution retry lets it go on, and cancel_task ends it.`,
      });
  });

  test("on an approval records the decision and moves the task on with it; a promotion has no task", () => {
    const { status, ...decision } = APPROVED;
    const settled = { on: "approval", approval_id: "a-1", set: { status, decision, decided_at: LATER } };
    const answered = answerApproval(anApproval(), APPROVED, LATER);
    expect(answered).toMatchObject({ interrupt_id: "i-1", events: [{ kind: "approval_decided" }] });
    expect(answered).toHaveProperty("changes", [settled, expect.objectContaining({ on: "task", task_id })]);
    expect(answerApproval(anApproval({ kind: "promotion" }), APPROVED, LATER)).toHaveProperty("changes", [settled]);
  });
});

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
