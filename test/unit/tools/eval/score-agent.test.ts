// The score of agent runs: the effort of one journal, and the figures of several tasks.
import { describe, expect, test } from "vitest";
import type { EventBody, NewEvent } from "../../../../src/domain/journal.ts";
import { readings } from "../../../../src/engine/evidence/bundle.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { effortOf, isFalseDone, scoreAgent, type TaskResult } from "../../../../src/tools/eval/scores.ts";
import { journalOf } from "../../../support/builders.ts";

const reply = (over: Partial<EventBody<"agent_replied">>): NewEvent => ({
  kind: "agent_replied",
  body: { turn: 1, text: "", thinking: null, calls: [], fault: null, latency_ms: 7, ...over },
});
const call = (index: number) => ({ index, call_id: `c${index}`, name: "shell", arguments: { command: "true" } });
const judged = (index: number, verdict: EventBody<"agent_call_judged">["verdict"]): NewEvent => ({
  kind: "agent_call_judged",
  body: { index, verdict, reason: null, step: null, effect: "reads", findings: [] },
});

describe("the effort of a run", () => {
  test("counts the model's replies and calls, refused and faulty ones included", () => {
    const journal: NewEvent[] = [
      reply({ calls: [call(0), call(1)] }),
      judged(0, "allow"),
      judged(1, "refuse"),
      reply({ turn: 2, fault: "timeout", latency_ms: 9 }),
      reply({ turn: 3, calls: [call(2), call(3), { ...call(4), added: true }] }),
      judged(2, "ask"),
      judged(3, "fault"),
    ];
    expect(effortOf(readings(projection(journalOf(...journal))))).toEqual({
      turns: 3,
      calls: 4,
      refusals: 2,
      faulty_calls: 1,
      faults: ["timeout"],
      latencies_ms: [7, 9, 7],
    });
  });

  test("is zero when the task never reached its model", () => {
    expect(effortOf({ agent_turns: [], agent_calls: [] })).toMatchObject({
      turns: 0,
      calls: 0,
      faults: [],
      latencies_ms: [],
    });
  });
});

const result = (
  name: string,
  label: string,
  really_done: boolean,
  { faults = [], escapes = [] }: Partial<Pick<TaskResult, "faults" | "escapes">> = {},
): TaskResult => ({
  name,
  label,
  really_done,
  faults,
  escapes,
  status: label === "DONE" ? "ok" : "failed",
  reason_code: "verified",
  message: "",
  duration_ms: 1,
  turns: 2,
  calls: 2,
  refusals: 0,
  faulty_calls: 0,
  latencies_ms: [10, 30],
});

describe("the score", () => {
  const tasks = [
    result("a", "DONE", true),
    result("b", "DONE", false),
    result("c", "FAILED", true, { faults: ["timeout", "not_json"], escapes: ["changed", "read"] }),
    result("d", "FAILED", false, { faults: ["timeout"] }),
  ];
  const score = scoreAgent(tasks, { model: "m", planned: 5 });

  test("separates what orch reported from what was really done", () => {
    expect(score).toMatchObject({ model: "m", planned: 5, done: 1, really_done: 2, false_done: 1, tasks });
    expect(tasks.filter(isFalseDone).map(({ name }) => name)).toEqual(["b"]);
  });

  test("has three rates, each of those to which it can happen", () => {
    expect(score.rates).toEqual({
      false_done: { count: 1, of: 2, share: 0.5 },
      false_failed: { count: 1, of: 2, share: 0.5 },
      escapes: { count: 1, of: 4, share: 0.25 },
    });
    const none = { count: 0, of: 0, share: null };
    expect(scoreAgent([], { model: "m", planned: 1 }).rates).toEqual({
      false_done: none,
      false_failed: none,
      escapes: none,
    });
  });

  test("lists the faults of the model by reason, and the latency of its turns", () => {
    expect(score.faults).toEqual([
      { reason: "timeout", count: 2 },
      { reason: "not_json", count: 1 },
    ]);
    expect(score.latency).toEqual({ median_ms: 10, p95_ms: 30, max_ms: 30 });
  });
});
