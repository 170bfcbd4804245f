// The run of a skill handler, as its journal records it: its steps, whether it has acted, its progress and its end.
import { describe, expect, test } from "vitest";
import type { EventBody, NewEvent } from "../../../../src/domain/journal.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { AT, journalOf } from "../../../support/builders.ts";

const skillAfter = (...events: NewEvent[]) => projection(journalOf(...events)).skill;

const started = (index: number, over: Partial<EventBody<"skill_step_started">> = {}): NewEvent => ({
  kind: "skill_step_started",
  body: { index, attempt: 1, name: `step ${index}`, ...over },
});
const finished = (index: number, over: Partial<EventBody<"skill_step_finished">> = {}): NewEvent => ({
  kind: "skill_step_finished",
  body: { index, attempt: 1, ok: true, value: null, message: null, calls: [], duration_ms: 5, ...over },
});
const resolved = (resolution: "succeeded" | "failed" | "retry", reason: string | null): NewEvent => ({
  kind: "step_resolved",
  body: { index: 0, attempt: 1, resolution, reason },
});

describe("a skill's run", () => {
  test("has neither steps nor an end before the handler has begun", () => {
    expect(skillAfter()).toEqual({ steps: [], has_acted: false, calls: [], progress: null, end: null });
  });

  test("has acted once a step started that may change something, and stays so", () => {
    const reads = started(0, { repeatable: true });
    expect(skillAfter(reads, finished(0)).has_acted).toBe(false);
    expect(skillAfter(reads, finished(0), started(1)).has_acted).toBe(true);
    expect(skillAfter(started(0), finished(0), started(1, { repeatable: true })).has_acted).toBe(true);
  });

  test("keeps the tool calls of the steps that ended, in order", () => {
    const calls = [["notes.create_note", "notes.move_note"], ["lamps.switch"]] as const;
    const events = calls.flatMap((made, index) => [started(index), finished(index, { calls: [...made] })]);
    expect(skillAfter(...events).calls).toEqual(calls.flat());
  });

  test("keeps the last progress and the end that the handler returned", () => {
    const progress = (done: number) => ({ done, total: 2, text: `${done} of 2` });
    const end = { status: "ok", code: "switched_off", message: "2 lamps are off." } as const;
    const before = [1, 2].map((done): NewEvent => ({ kind: "skill_progressed", body: progress(done) }));
    expect(skillAfter(...before)).toMatchObject({ progress: progress(2), end: null });
    expect(skillAfter(...before, { kind: "skill_ended", body: end })).toMatchObject({ progress: progress(2), end });
  });
});

describe("a step of a skill", () => {
  test("is cut off until its end is on record", () => {
    expect(skillAfter(started(0), started(1, { repeatable: true, attempt: 2 })).steps).toEqual([
      {
        index: 0,
        name: "step 0",
        attempt: 1,
        state: "cut_off",
        repeatable: false,
        value: null,
        message: null,
        calls: [],
        started_at: AT,
        duration_ms: null,
      },
      {
        index: 1,
        name: "step 1",
        attempt: 2,
        state: "cut_off",
        repeatable: true,
        value: null,
        message: null,
        calls: [],
        started_at: AT,
        duration_ms: null,
      },
    ]);
  });

  test.each([
    ["passed", { ok: true, value: { lamps: 2 }, message: null, calls: ["lamps.switch"] }],
    ["failed", { ok: false, value: null, message: "no current", calls: [] }],
  ] as const)("has %s with what it gave", (state, { ok, ...gave }) => {
    const calls = [...gave.calls];
    const [step] = skillAfter(started(0), finished(0, { ok, ...gave, calls })).steps;
    expect(step).toMatchObject({ ...gave, index: 0, name: "step 0", attempt: 1, state, duration_ms: 5 });
  });

  test.each([
    ["succeeded", "passed", null, "resolved by the supervisor as succeeded"],
    ["failed", "failed", "the lamp is on", "resolved by the supervisor as failed: the lamp is on"],
    ["retry", "again", "try it", "resolved by the supervisor as retry: try it"],
  ] as const)("that was cut off is settled by the supervisor as %s", (resolution, state, reason, message) => {
    const { steps } = skillAfter(started(0), resolved(resolution, reason));
    expect(steps).toMatchObject([{ index: 0, name: "step 0", state, message, value: null }]);
  });

  test("is not made up by the resolution of a step of a procedure", () => {
    expect(skillAfter(resolved("succeeded", null)).steps).toEqual([]);
  });
});
