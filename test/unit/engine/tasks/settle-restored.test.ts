import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { Task } from "../../../../src/domain/task.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { settleTask } from "../../../../src/engine/tasks/settle-restored.ts";
import { accept } from "../../../../src/engine/tasks/transitions.ts";
import { settleSchedule } from "../../../../src/features/schedules/changes.ts";
import type { Schedule } from "../../../../src/features/schedules/schedule.ts";
import { AT, aContract, aResult, check, cmd, journalOf } from "../../../support/builders.ts";

const TIMES = { taken_at: AT, at: "2026-03-07T09:00:00.000Z" };
const PINNED: NewEvent = {
  kind: "sop_pinned",
  body: {
    sop_id: null,
    sop_version: null,
    criteria: [],
    safety_level: "standard",
    preconditions: [],
    steps: [cmd("deploy"), cmd("restart"), check("curl web")],
  },
};
const CLAIMED: NewEvent = { kind: "taken_up", body: { owner: "a", recovery: false } };
const started = (index: number): NewEvent => ({ kind: "step_started", body: { index, attempt: 1 } });
const finished = (index: number): NewEvent => ({ kind: "step_finished", body: aResult({ index }) });

function settled(over: Partial<Task>, ...events: NewEvent[]) {
  const { task, events: accepted } = accept({ contract: aContract(), backend: "local", at: AT });
  const state = projection(journalOf(...accepted, ...events));
  const given = { task: { ...task, ...over }, state, pending: [], replaced: null, interrupt_id: "journal/9" };
  const { as, transition } = settleTask(given, TIMES);
  const change = transition.changes.find(({ on }) => on === "task");
  return { as, transition, set: change?.on === "task" ? change.set : null };
}

describe("a restored task", () => {
  test("in which a step had begun asks about it and keeps its target", () => {
    const { as, set, transition } = settled(
      { status: "running", owner: "a" },
      CLAIMED,
      PINNED,
      started(0),
      finished(0),
      started(1),
    );
    expect(as).toBe("asked");
    expect(set).toMatchObject({
      status: "need_input",
      owner: null,
      waiting: { kind: "resolution", index: 1, attempt: 1 },
      outcome: { reason_code: "step_outcome_unknown", step_index: 1 },
    });
    expect(transition.changes.map(({ on }) => on)).not.toContain("target_freed");
    expect(transition.events.map(({ kind }) => kind)).toEqual(["restored", "reported"]);
  });

  test("between two steps is parked, because the next one may have run since", () => {
    const { as, set, transition } = settled({ status: "running" }, CLAIMED, PINNED, started(0), finished(0));
    expect([as, set?.outcome?.reason_code, set?.waiting?.kind]).toEqual(["parked", "parked", "parked"]);
    expect(transition.changes.map(({ on }) => on)).not.toContain("target_freed");
  });

  test("that was never started is parked without its target, because it may have run since", () => {
    const { as, set, transition } = settled({ status: "accepted" });
    expect([as, set?.status]).toEqual(["parked", "need_input"]);
    expect(transition.changes.map(({ on }) => on)).toContain("target_freed");
    expect(transition.changes.find(({ on }) => on === "task")).toMatchObject({ expect: { status: ["accepted"] } });
  });

  test.each([
    [{ kind: "teaching", interrupt_id: "i" }, "sop_unknown", ["cancel_task", "teach"]],
    [{ kind: "parked", interrupt_id: "i" }, "parked", ["cancel_task", "resolve_step", "get_evidence"]],
    [
      { kind: "resolution", interrupt_id: "i", index: 1, attempt: 2 },
      "step_outcome_unknown",
      ["cancel_task", "resolve_step", "get_evidence"],
    ],
  ] as const)(
    "that waited for the supervisor is asked again, with what may have become of it: %o",
    (waiting, reason, operations) => {
      const { as, set, transition } = settled({ status: "need_input", waiting });
      expect([as, set?.status, set?.outcome?.reason_code]).toEqual(["left", "need_input", reason]);
      expect(set?.waiting).toEqual({ ...waiting, interrupt_id: "journal/9" });
      expect(set?.outcome?.message).toContain("that backup was restored");
      expect(set?.outcome?.next).toMatchObject(operations.map((operation) => ({ operation })));
      expect(transition.events.map(({ kind }) => kind)).toEqual(["restored", "reported"]);
      expect(transition.changes.find(({ on }) => on === "task")).toMatchObject({ expect: { status: ["need_input"] } });
    },
  );
});

test("a restored schedule is paused, and drops the due time that was being submitted", () => {
  const schedule: Schedule = {
    name: "web",
    contract: aContract(),
    every: "1h",
    cron: null,
    timezone: null,
    status: "active" as const,
    next_due: AT,
    open_due: AT,
    last_due: AT,
    last_task_id: null,
    runs: 0,
    skipped: 0,
    missed: 0,
    fault: null,
    created_at: AT,
    updated_at: AT,
  };
  const { events, changes } = settleSchedule(schedule, TIMES.taken_at);
  expect(events).toEqual([{ kind: "schedule_restored", body: { taken_at: AT, dropped: AT, next_due: null } }]);
  expect(changes).toMatchObject([{ set: { status: "paused", open_due: null, next_due: null } }]);
});
