// The run of an agent, as its journal records it: what it was given, how far each call is, and which calls are open.
import { describe, expect, test } from "vitest";
import type { EventBody, NewEvent } from "../../../../src/domain/journal.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { openCallsOf } from "../../../../src/features/agents/fold.ts";
import { agentJournal, changed, checked, faulty, looked, refused } from "../../../support/agent-journal.ts";
import { AT, aResult, journalOf } from "../../../support/builders.ts";

type Turns = Parameters<typeof agentJournal>[0];

const agentAfter = (turns: Turns, ...after: NewEvent[]) => projection(agentJournal(turns, ...after)).agent;
const openAfter = (turns: Turns, ...after: NewEvent[]) =>
  openCallsOf(agentAfter(turns, ...after)).map(({ index, state }) => `${index} ${state}`);

const asking = (command: string) => changed(command, { judged: "ask", reason: "it changes data", result: null });
const requested = (approval_id: string): NewEvent => ({
  kind: "approval_requested",
  body: { approval_id, kind: "agent", digest: "d" },
});
const decided = (approval_id: string, status: EventBody<"approval_decided">["status"]): NewEvent => ({
  kind: "approval_decided",
  body: {
    approval_id,
    status,
    decision: status === "approved" ? "approve" : "reject",
    reason: status === "rejected" ? "not on Fridays" : null,
    decided_by: "op",
    token_id: null,
  },
});
const started = (index: number, attempt = 1): NewEvent => ({ kind: "step_started", body: { index, attempt } });
const finished = (index: number, over: Parameters<typeof aResult>[0] = {}): NewEvent => ({
  kind: "step_finished",
  body: aResult({ index, ...over }),
});
const resolved = (index: number, resolution: "succeeded" | "failed" | "retry", attempt = 1): NewEvent => ({
  kind: "step_resolved",
  body: { index, attempt, resolution, reason: "I looked" },
});

describe("an agent's run", () => {
  test("keeps what it was equipped with, each reply, and its end", () => {
    const finish: NewEvent = {
      kind: "agent_finished",
      body: { index: 0, summary: "it is up", criteria: [], done: true },
    };
    const agent = agentAfter([[{ name: "finish" }], []], finish);
    expect(agent.equipped).toEqual({ agent_backend: "plain", model: "small:1b", tools: ["shell"], missing: [] });
    expect(agent.turns.map(({ turn, text }) => `${turn} ${text}`.trim())).toEqual(["1", "2 Let me think."]);
    expect(agent.finished).toEqual(finish.body);
    expect(agent.stopped).toBeNull();
    expect(agent.calls).toMatchObject([{ name: "finish", state: "ended" }]);
    expect(openCallsOf(agent)).toEqual([]);
  });

  test("keeps why it was stopped", () => {
    const body = { reason_code: "agent_turns_spent", message: "9 turns." } as const;
    expect(agentAfter([[]], { kind: "agent_stopped", body })).toMatchObject({ stopped: body, finished: null });
  });

  test("is empty for a task without an agent, whose steps are not calls", () => {
    const events = journalOf(started(0), finished(0), resolved(0, "failed"));
    const { agent } = projection(events);
    expect(agent).toEqual({
      equipped: null,
      turns: [],
      calls: [],
      open: new Set(),
      start: null,
      finished: null,
      stopped: null,
    });
  });
});

describe("a call of an agent", () => {
  test("is asked, has run nothing and counts as a change until policy has judged it", () => {
    const asked = changed("touch x", { judged: null });
    expect(agentAfter([[], [asked, { ...asked, added: true }]]).calls).toEqual(
      [false, true].map((added, index) => ({
        index,
        turn: 2,
        call_id: `call-${index}`,
        name: "shell",
        arguments: { command: "touch x" },
        added,
        state: "asked",
        reason: null,
        step: null,
        effect: "changes",
        findings: [],
        approval_id: null,
        attempt: 1,
        result: null,
      })),
    );
  });

  test.each([
    ["ready", changed("touch x", { result: null }), true],
    ["waiting", asking("touch x"), true],
    ["refused", refused("touch x"), false],
    ["faulty", faulty("shall"), false],
  ] as const)("is %s as policy says, with the reason and the step", (state, call, is_open) => {
    const agent = agentAfter([[call]]);
    const { step = null, effect = "changes", reason = null } = call;
    expect(agent.calls).toMatchObject([{ state, step, effect, reason }]);
    expect(openCallsOf(agent)).toEqual(is_open ? agent.calls : []);
  });

  test("that no reply contains is not made up by a judgement or an end", () => {
    const judged: EventBody<"agent_call_judged"> = {
      index: 7,
      verdict: "allow",
      reason: null,
      step: null,
      effect: "reads",
      findings: [],
    };
    const end = { index: 8, summary: "done", criteria: [], done: true };
    const after = agentAfter([[]], { kind: "agent_call_judged", body: judged }, { kind: "agent_finished", body: end });
    expect(after).toMatchObject({ calls: [], open: new Set() });
  });
});

describe("the open calls of an agent", () => {
  test("are those that are not settled, in the order of the model's requests", () => {
    const calls = [looked("ls"), changed("touch x", { judged: null }), refused("rm x"), asking("touch y")];
    expect(openAfter([calls, [faulty("shall"), checked("test -e x", { result: "cut_off" })]])).toEqual([
      ...["1 asked", "3 waiting", "5 started"],
    ]);
  });

  test("keep that order when an earlier call runs again", () => {
    const calls = [changed("a"), changed("b", { result: null }), changed("c", { result: null })];
    expect(openAfter([calls], resolved(0, "retry"))).toEqual(["0 ready", "1 ready", "2 ready"]);
  });
});

describe("an approval of an agent's calls", () => {
  const calls = [asking("touch x"), changed("ls", { result: null }), asking("touch y")];

  test("names all calls that wait, and no other", () => {
    const named = agentAfter([calls], requested("a-1")).calls.map(({ approval_id }) => approval_id);
    expect(named).toEqual(["a-1", null, "a-1"]);
  });

  test.each([
    ["approved", "ready", "it changes data"],
    ["rejected", "rejected", "not on Fridays"],
    ["expired", "rejected", "the approval expired before a decision"],
  ] as const)("that is %s makes them %s", (status, state, reason) => {
    const after = agentAfter([calls], requested("a-1"), decided("a-1", status));
    expect(after.calls).toMatchObject([
      { state, reason },
      { state: "ready", reason: null },
      { state, reason },
    ]);
    expect(openCallsOf(after).map(({ index }) => index)).toEqual(state === "ready" ? [0, 1, 2] : [1]);
  });

  test("decides the calls that it names, and not those that another one names", () => {
    expect(openAfter([calls], requested("a-1"), decided("a-2", "approved"))).toEqual([
      ...["0 waiting", "1 ready", "2 waiting"],
    ]);
  });

  test("decides nothing about a call that is settled", () => {
    const ran = agentAfter(
      [calls],
      requested("a-1"),
      decided("a-1", "approved"),
      started(0),
      finished(0),
      requested("a-2"),
    );
    const after = agentAfter(
      [calls],
      ...[requested("a-1"), decided("a-1", "approved"), started(0), finished(0), requested("a-2")],
      decided("a-1", "rejected"),
    );
    expect(after.calls).toEqual(ran.calls);
    expect(ran.calls[0]).toMatchObject({ state: "ended", approval_id: "a-1" });
  });
});

describe("the step of an agent's call", () => {
  const ready = [[changed("touch x", { result: null }), checked("test -e x", { result: null })]];

  test("has an unknown outcome, of the kind of its step, while it runs", () => {
    const agent = agentAfter(ready, started(1, 2));
    const result = { index: 1, attempt: 2, kind: "check", status: "outcome_unknown", started_at: AT };
    expect(agent.calls[1]).toMatchObject({ state: "started", attempt: 2, result });
    expect(openCallsOf(agent).map(({ index }) => index)).toEqual([0, 1]);
  });

  test("counts as a command while no judgement names its kind", () => {
    const agent = agentAfter([[changed("touch x", { judged: null })]], started(0));
    expect(agent.calls[0]?.result).toMatchObject({ kind: "cmd", status: "outcome_unknown" });
  });

  test.each([
    ["passed", "ended", ["0 ready"]],
    ["failed", "ended", ["0 ready"]],
    ["outcome_unknown", "unknown", ["0 ready", "1 unknown"]],
  ] as const)("that is %s leaves its call %s, with the result", (status, state, open) => {
    const end = finished(1, { status, stdout: "what it wrote" });
    expect(agentAfter(ready, started(1), end).calls[1]).toMatchObject({ state, result: end.body });
    expect(openAfter(ready, started(1), end)).toEqual(open);
  });

  test.each([
    ["succeeded", "ended", 1, "passed"],
    ["failed", "ended", 1, "failed"],
    ["retry", "ready", 2, "outcome_unknown"],
  ] as const)("is settled by the supervisor as %s", (resolution, state, attempt, status) => {
    const agent = agentAfter(ready, started(0), resolved(0, resolution));
    const stderr = `resolved by the supervisor as ${resolution}: I looked`;
    expect(agent.calls[0]).toMatchObject({ state, attempt, result: { status, stderr } });
    expect(openCallsOf(agent).map(({ index }) => index)).toEqual(state === "ready" ? [0, 1] : [1]);
  });

  test("runs again with the next attempt, whichever was asked about", () => {
    expect(agentAfter(ready, started(0, 2), resolved(0, "retry", 2)).calls[0]).toMatchObject({ attempt: 3 });
  });

  test("has no result when the supervisor settles it before it has started", () => {
    expect(agentAfter(ready, resolved(0, "failed")).calls[0]).toMatchObject({ state: "ended", result: null });
  });
});
