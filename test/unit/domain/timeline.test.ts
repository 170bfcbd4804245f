// What begins and ends on the timeline of a task, as each kind of event says it.
import fc from "fast-check";
import { expect, test } from "vitest";
import { chain, EVENTS, type NewEvent } from "../../../src/domain/journal.ts";
import { createShownEvents } from "../../../src/domain/shown-event.ts";
import { LaneMark, timelineOf } from "../../../src/domain/timeline.ts";
import { agentJournal, checked } from "../../support/agent-journal.ts";
import { AT, aResult } from "../../support/builders.ts";

const LATER = "2026-03-06T09:00:02.000Z";

/** The marks of the last event. */
function marksOf(...events: NewEvent[]): readonly LaneMark[] | undefined {
  const show = createShownEvents({ program: "orch", wasShown: () => false, linesOf: () => [] });
  return chain("t-1", null, events, LATER)
    .map((event) => show(event))
    .at(-1)?.lanes;
}

const STEP = { lane: "steps", step: 2, attempt: 1 };
const asked: NewEvent = { kind: "cancel_requested", body: { reason: null } };
const finished = (over: Parameters<typeof aResult>[0]): NewEvent => ({
  kind: "step_finished",
  body: aResult({ index: 2, started_at: AT, duration_ms: 500, ...over }),
});

test("a step has its number, and ends when it has run, however late that is written", () => {
  expect(marksOf({ kind: "step_started", body: { index: 2, attempt: 1 } })).toEqual([
    { mark: "begin", ...STEP, at: LATER, label: "step 2" },
  ]);
  const end = { mark: "end", ...STEP, at: "2026-03-06T09:00:00.500Z" };
  expect(marksOf(finished({ status: "passed" }))).toEqual([{ ...end, ended: "done" }]);
  expect(marksOf(finished({ status: "failed" }))).toEqual([{ ...end, ended: "failed" }]);
  expect(marksOf(asked, finished({ status: "failed" }))).toEqual([{ ...end, ended: "cancelled" }]);
  expect(marksOf(asked, finished({ status: "outcome_unknown" }))).toEqual([{ ...end, ended: "failed" }]);
});

test("a step of a skill has the name that the skill gives it", () => {
  const body = { index: 2, attempt: 1 };
  expect(marksOf({ kind: "skill_step_started", body: { ...body, name: "move a note" } })).toEqual([
    { mark: "begin", ...STEP, at: LATER, label: "move a note" },
  ]);
  const end: NewEvent = {
    kind: "skill_step_finished",
    body: { ...body, ok: false, value: null, message: "gone", calls: [], duration_ms: 7 },
  };
  expect(marksOf(end)).toEqual([{ mark: "end", ...STEP, at: LATER, ended: "failed" }]);
  expect(marksOf(asked, end)).toEqual([{ mark: "end", ...STEP, at: LATER, ended: "cancelled" }]);
});

test("a question to a model is over when it is recorded, and began as long before as the model took", () => {
  const question = {
    question: "approval",
    about: "x",
    answer: {},
    fallback: null,
    model: "m",
    latency_ms: 2_000,
  } as const;
  expect(marksOf({ kind: "gate_answered", body: question })).toEqual([
    { mark: "begin", lane: "model", at: AT, label: "asked about an approval" },
    { mark: "end", lane: "model", at: LATER, ended: "done" },
  ]);
  const turn = agentJournal([[checked("true", { result: null })]]).find(({ kind }) => kind === "agent_replied");
  if (turn === undefined) throw new Error("the agent has replied");
  expect(marksOf(turn)).toMatchObject([{ label: "turn 1 of the agent" }, { mark: "end", lane: "model" }]);
});

test("what people do ends the wait for them", () => {
  const decision = { decision: "approve", reason: "fine", decided_by: "me", token_id: null } as const;
  const done: readonly NewEvent[] = [
    { kind: "approval_decided", body: { ...decision, approval_id: "a-1", status: "approved" } },
    { kind: "step_resolved", body: { index: 0, attempt: 1, resolution: "retry", reason: null } },
    { kind: "unparked", body: { reason: null } },
  ];
  for (const event of done)
    expect(marksOf(event), event.kind).toEqual([{ mark: "end", lane: "people", at: LATER, ended: "done" }]);
  expect(Object.entries(EVENTS).flatMap(([kind, said]) => ("waits" in said ? [kind] : []))).toEqual([
    "task_accepted",
    "taken_up",
    "taught",
    "approval_decided",
    "step_resolved",
    "unparked",
    "held_back",
    "reported",
  ]);
});

test("the marks are those of the stream for any times", () => {
  const time = fc.double();
  fc.assert(
    fc.property(time, time, time, (latency_ms, from_ms, duration_ms) => {
      const trace = {
        chat: { attributes: {}, latency_ms, failed: false },
        end: { index: 0, attempt: 1, from_ms, duration_ms, failed: false },
      };
      for (const mark of timelineOf({ at: AT, trace }, false)) LaneMark.parse(mark);
    }),
  );
});
