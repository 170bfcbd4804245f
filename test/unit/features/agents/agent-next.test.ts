import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { agentNext } from "../../../../src/features/agents/port.ts";
import { agentJournal, changed, checked, faulty, refused } from "../../../support/agent-journal.ts";

type Turns = Parameters<typeof agentJournal>[0];

const LIMITS = { turns: 10, calls: 20, minutes: 60 };
const next = (turns: Turns, after: readonly NewEvent[] = [], limits = {}) =>
  agentNext(projection(agentJournal(turns, ...after)).agent, { ...LIMITS, ...limits });

const requested: NewEvent = { kind: "approval_requested", body: { approval_id: "a-1", kind: "agent", digest: "d" } };
const decided = (decision: "approve" | "reject"): NewEvent => ({
  kind: "approval_decided",
  body: {
    approval_id: "a-1",
    decision,
    reason: null,
    decided_by: null,
    token_id: null,
    status: decision === "approve" ? "approved" : "rejected",
  },
});
const retry: NewEvent = { kind: "step_resolved", body: { index: 0, attempt: 1, resolution: "retry", reason: null } };
const finish: NewEvent = { kind: "agent_finished", body: { index: 0, summary: "done", criteria: [], done: true } };
const STOPPED = { reason_code: "agent_idle", message: "It said nothing." } as const;
const replied = (count: number, fault: string) =>
  Array.from({ length: count }, (_, at): NewEvent => {
    const body = { turn: at + 1, text: "", thinking: null, calls: [], fault, latency_ms: 1 };
    return { kind: "agent_replied", body };
  });

const asked = (command: string) => changed(command, { judged: null });
const ready = (command: string) => changed(command, { result: null });
const waiting = [ready("a"), changed("b", { judged: "ask", result: null })];
const silent = changed("a", { result: { status: "outcome_unknown", exit_code: 1 } });
const cutOff = [changed("a", { result: "cut_off" }), ready("b")];
const five = [0, 1, 2, 3, 4].map((number) => faulty(`tool-${number}`));
const same = (times: number) => Array.from({ length: times }, () => [changed("date"), checked("true")]);
const took = (command: string, minutes: number) => changed(command, { result: { duration_ms: minutes * 60_000 } });
const loud = Array.from({ length: 9 }, (_, n) => [changed(`${n}`, { result: { stdout: "x".repeat(500_000) } })]);
const three = ["a", "b", "c"].map((command) => [changed(command)]);

describe("the next action", () => {
  test("is to load the tools, before anything else", () => {
    expect(agentNext(projection([]).agent, LIMITS)).toEqual({ is: "load_tools" });
  });

  test.each<[string, Turns, NewEvent[], object]>([
    ["to ask the model, with its tools", [], [], { is: "ask_model" }],
    ["to judge the calls of a reply", [[asked("a"), asked("b")]], [], { is: "judge_calls" }],
    ["to make them, all of them", [[changed("a"), ready("b")]], [], { is: "make_calls" }],
    ["to ask again when they are made", [[changed("a"), changed("b")]], [], { is: "ask_model" }],
    ["to ask again when there was no call", [[]], [], { is: "ask_model" }],
    [
      "to make no call while one waits for a human",
      [waiting],
      [requested],
      { is: "await_approval", approval_id: "a-1" },
    ],
    ["to make them once that is approved", [waiting], [requested, decided("approve")], { is: "make_calls" }],
    ["to make the others once that is rejected", [waiting], [requested, decided("reject")], { is: "make_calls" }],
    ["to ask about a call that was cut off", [cutOff], [], { is: "outcome_unknown", index: 0, attempt: 1 }],
    ["to make it again only when the supervisor says so", [cutOff], [retry], { is: "make_calls" }],
    ["to ask about a call that got no answer", [[silent]], [], { is: "outcome_unknown", index: 0, attempt: 1 }],
    ["to end after finish", [[{ name: "finish", step: null }]], [finish], { is: "finished" }],
    ["to end after a recorded stop", [], [{ kind: "agent_stopped", body: STOPPED }], { is: "stopped", ...STOPPED }],
  ])("is %s", (_, turns, after, wanted) => {
    expect(next(turns, after)).toEqual(wanted);
  });
});

const EARLIER = [[refused("a")], [refused("b")]];
test.each<[string, string, Turns, NewEvent[]?, object?]>([
  ["refused calls in three replies in a row", "agent_refused", [...EARLIER, [refused("c")]]],
  [
    "the third of them, before a later call is made",
    "agent_refused",
    [...EARLIER, [refused("c"), refused("d", "the scope"), ready("e")]],
  ],
  ["five faulty calls in a row", "agent_faulty_calls", [five]],
  ["the sixth identical call, also with others in between", "agent_repeats", same(6)],
  ["the sixth identical call before it is made", "agent_repeats", [...same(5), [ready("date")]]],
  ["three replies in a row without a call", "agent_idle", [[], [], []]],
  ["three unusable replies in a row", "model_unavailable", [], replied(3, "timeout")],
  ["a model that cannot call tools, at once", "model_unavailable", [], replied(1, "no_tools")],
  ["the limit on replies", "agent_turns_spent", three, [], { turns: 3 }],
  ["the limit on calls", "agent_calls_spent", three, [], { calls: 3 }],
  ["the limit on time", "agent_time_spent", [[took("a", 59)], [took("b", 1)]]],
  ["the limit on output", "agent_output_spent", loud],
])("a run is stopped by %s", (_, reason_code, turns, after, limits) => {
  expect(next(turns, after, limits)).toMatchObject({ is: "stopped", reason_code, message: expect.any(String) });
});

test.each<[string, Turns, NewEvent[]?, object?]>([
  ["three refused calls in one reply: the model has not heard of them", [[refused("a"), refused("b"), refused("c")]]],
  ["refused calls in two replies", EARLIER],
  ["refused calls that an allowed one lies between", [...EARLIER, [changed("x")], [refused("c")]]],
  ["four faulty calls", [five.slice(0, 4)]],
  ["five identical calls", same(5)],
  ["two replies without a call", [[], []]],
  ["replies without a call that one with a call lies between", [[], [changed("a")], [], []]],
  ["two unusable replies", [], replied(2, "timeout")],
])("a run goes on after %s", (_, turns, after, limits) => {
  expect(next(turns, after, limits)).toEqual({ is: "ask_model" });
});

test("a limit stops a run only after every call of the reply is made", () => {
  expect(next([[changed("a")], [changed("b"), ready("c")]], [], { turns: 2 })).toEqual({ is: "make_calls" });
});
