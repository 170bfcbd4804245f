// What is recorded of a model's reply.
import { expect, test } from "vitest";
import { recordedReply } from "../../../../src/features/agents/agent-run.ts";

const SITUATION = {
  turn: 2,
  calls: [],
  catalogue: { offered: [], entries: new Map(), missing: [], left_out: [] },
  redact: (text: string) => text,
  estimated: 800,
} as const;

const reply = (names: readonly string[]) =>
  ({
    is: "reply",
    text: "",
    thinking: null,
    calls: names.map((name) => ({ name, arguments: {} })),
    latency_ms: 1,
  }) as const;

const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `tool-${at}`);

test("a reply with too many calls is read up to a number, and an end that it asks for is kept", () => {
  const { calls, left_out } = recordedReply(reply([...many(40), "finish"]), SITUATION);
  expect([calls.length, left_out]).toEqual([32, 9]);
  expect(calls.map(({ name }) => name)).toEqual([...many(31), "finish"]);
});

test("a reply with as many calls as are read leaves nothing out", () => {
  expect(recordedReply(reply(many(32)), SITUATION)).not.toHaveProperty("left_out");
});

test("a call has its own name in the whole run, which is the number that its result has", () => {
  const first = recordedReply(reply(["a", "b"]), SITUATION).calls;
  const asked = { turn: 1, added: false, state: "ended", reason: null, step: null, effect: "reads" } as const;
  const before = first.map((call) => ({
    ...call,
    ...asked,
    findings: [],
    approval_id: null,
    attempt: 1,
    result: null,
  }));
  const { calls } = recordedReply(reply(["c"]), { ...SITUATION, calls: before });
  expect([...first, ...calls].map(({ index, call_id }) => [index, call_id])).toEqual([
    [0, "call-0"],
    [1, "call-1"],
    [2, "call-2"],
  ]);
});

test("a reply records what its question took, where the server of the model has counted it", () => {
  const counted = recordedReply({ ...reply(["a"]), prompt_tokens: 1_000 }, SITUATION);
  expect(counted.prompt).toEqual({ estimated: 800, tokens: 1_000 });
  expect(recordedReply(reply(["a"]), SITUATION)).not.toHaveProperty("prompt");
});
