import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { agentNext } from "../../../../src/features/agents/port.ts";
import { agentJournal, changed, checked, faulty, refused } from "../../../support/agent-journal.ts";

const LIMITS = { turns: 10, calls: 20, minutes: 60 };
const next = (turns: Parameters<typeof agentJournal>[0], after: NewEvent[] = [], limits = LIMITS) =>
  agentNext(projection(agentJournal(turns, ...after)).agent, limits);
const stops = (reason_code: string) => expect.objectContaining({ is: "stopped", reason_code });

const requested: NewEvent = {
  kind: "approval_requested",
  body: { approval_id: "a-1", kind: "agent", digest: "d" },
};
const decided = (decision: "approve" | "reject", reason: string | null = null): NewEvent => ({
  kind: "approval_decided",
  body: {
    approval_id: "a-1",
    decision,
    reason,
    decided_by: null,
    token_id: null,
    status: decision === "approve" ? "approved" : "rejected",
  },
});
const faultyReply = (turn: number, fault: string): NewEvent => ({
  kind: "agent_replied",
  body: { turn, text: "", thinking: null, calls: [], fault, latency_ms: 1 },
});

describe("the next action", () => {
  test("is to load the tools, then to ask the model", () => {
    expect(agentNext(projection([]).agent, LIMITS)).toEqual({ is: "load_tools" });
    expect(next([])).toEqual({ is: "ask_model" });
  });

  test("is to judge calls, then to make them, then to ask the model again", () => {
    expect(next([[changed("a", { judged: null }), changed("b", { judged: null })]])).toEqual({ is: "judge_calls" });
    expect(next([[changed("a"), changed("b", { result: null })]])).toEqual({ is: "make_calls" });
    expect(next([[changed("a"), changed("b")]])).toEqual({ is: "ask_model" });
    expect(next([[]])).toEqual({ is: "ask_model" });
  });

  test("is to make no call of a reply while one of its calls waits for a human", () => {
    const asking = [changed("a", { result: null }), changed("b", { judged: "ask", result: null })];
    expect(next([asking], [requested])).toEqual({ is: "await_approval", approval_id: "a-1" });
    expect(next([asking], [requested, decided("approve")])).toEqual({ is: "make_calls" });
    expect(next([asking], [requested, decided("reject", "not on a Friday")])).toEqual({ is: "make_calls" });
    const [allowed, rejected] = projection(agentJournal([asking], requested, decided("reject", "not on a Friday")))
      .agent.calls;
    expect(allowed).toMatchObject({ state: "ready" });
    expect(rejected).toMatchObject({ state: "rejected", reason: "not on a Friday", approval_id: "a-1" });
  });

  test("is to ask about a call that was cut off, and to make it again only when the supervisor says so", () => {
    const cut = [changed("a", { result: "cut_off" }), changed("b", { result: null })];
    expect(next([cut])).toEqual({ is: "outcome_unknown", index: 0, attempt: 1 });
    const resolved = (resolution: "succeeded" | "failed" | "retry"): NewEvent => ({
      kind: "step_resolved",
      body: { index: 0, attempt: 1, resolution, reason: null },
    });
    expect(next([cut], [resolved("retry")])).toEqual({ is: "make_calls" });
    expect(projection(agentJournal([cut], resolved("retry"))).agent.calls[0]).toMatchObject({
      state: "ready",
      attempt: 2,
    });
    for (const word of ["succeeded", "failed"] as const) {
      const [call] = projection(agentJournal([cut], resolved(word))).agent.calls;
      expect(call).toMatchObject({ state: "ended", result: { status: word === "failed" ? "failed" : "passed" } });
    }
  });

  test("is to ask about a call that got no answer", () => {
    const silent = changed("a", { result: { status: "outcome_unknown", exit_code: 1 } });
    expect(next([[silent]])).toEqual({ is: "outcome_unknown", index: 0, attempt: 1 });
  });

  test("is to end after finish, and after a recorded stop", () => {
    const finished: NewEvent = {
      kind: "agent_finished",
      body: { index: 0, summary: "done", criteria: [], done: true },
    };
    expect(next([[{ name: "finish", step: null }]], [finished])).toEqual({ is: "finished" });
    const stopped = { reason_code: "agent_idle", message: "It said nothing." } as const;
    expect(next([], [{ kind: "agent_stopped", body: stopped }])).toEqual({ is: "stopped", ...stopped });
  });
});

describe("a run is stopped", () => {
  test("by refused calls in three replies in a row, before any later call is made", () => {
    const third = [refused("c"), refused("d", "the scope"), changed("e", { result: null })];
    expect(next([[refused("a")], [refused("b")], third])).toEqual(
      expect.objectContaining({
        is: "stopped",
        reason_code: "agent_refused",
        message: expect.stringContaining("refused, the last because"),
      }),
    );
    expect(next([[refused("a")], [refused("b")], [refused("c")]])).toEqual(stops("agent_refused"));
  });

  test("only after the model has heard of two refusals: those of one reply count once", () => {
    expect(next([[refused("a"), refused("b"), refused("c")]])).toEqual({ is: "ask_model" });
    expect(
      next([
        [refused("a"), refused("b")],
        [refused("c"), refused("d")],
      ]),
    ).toEqual({ is: "ask_model" });
  });

  test("only when the refused calls are consecutive: an allowed call between them resets the count", () => {
    expect(next([[refused("a"), refused("b")], [changed("x")], [refused("c")]])).toEqual({ is: "ask_model" });
  });

  test("by five faulty calls in a row", () => {
    const five = [0, 1, 2, 3, 4].map((number) => faulty(`tool-${number}`));
    expect(next([five.slice(0, 4)])).toEqual({ is: "ask_model" });
    expect(next([five])).toEqual(stops("agent_faulty_calls"));
  });

  test("by the sixth identical call, also with other calls in between", () => {
    const same = (times: number) => Array.from({ length: times }, () => [changed("date"), checked(`true`)]);
    expect(next(same(5))).toEqual({ is: "ask_model" });
    expect(next(same(6))).toEqual(stops("agent_repeats"));
    expect(next([...same(5), [changed("date", { result: null })]])).toEqual(stops("agent_repeats"));
  });

  test("by three replies in a row without a call", () => {
    expect(next([[], []])).toEqual({ is: "ask_model" });
    expect(next([[], [], []])).toEqual(stops("agent_idle"));
    expect(next([[], [changed("a")], [], []])).toEqual({ is: "ask_model" });
  });

  test("by three unusable replies in a row, and at once when the model cannot call tools", () => {
    const faults = (count: number) => Array.from({ length: count }, (_, n) => faultyReply(n + 1, "timeout"));
    expect(next([], faults(2))).toEqual({ is: "ask_model" });
    expect(next([], faults(3))).toEqual(stops("model_unavailable"));
    expect(next([], [faultyReply(1, "no_tools")])).toEqual(stops("model_unavailable"));
  });

  test("by its limits: replies, calls, time and output", () => {
    const three = [[changed("a")], [changed("b")], [changed("c")]];
    expect(next(three, [], { ...LIMITS, turns: 3 })).toEqual(stops("agent_turns_spent"));
    expect(next(three, [], { ...LIMITS, calls: 3 })).toEqual(stops("agent_calls_spent"));
    const slow = [
      [changed("a", { result: { duration_ms: 59 * 60_000 } })],
      [changed("b", { result: { duration_ms: 60_000 } })],
    ];
    expect(next(slow)).toEqual(stops("agent_time_spent"));
    const loud = Array.from({ length: 9 }, (_, n) => [changed(`${n}`, { result: { stdout: "x".repeat(500_000) } })]);
    expect(next(loud)).toEqual(stops("agent_output_spent"));
  });

  test("by a limit only after every call of the reply is made", () => {
    const last = [[changed("a")], [changed("b"), changed("c", { result: null })]];
    expect(next(last, [], { ...LIMITS, turns: 2 })).toEqual({ is: "make_calls" });
  });
});
