// The bounds of the chat model that the gate and the agents share, seen by a caller that catches its errors.
import { HumanMessage } from "@langchain/core/messages";
import { END, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { z } from "zod";
import { createOllamaGate } from "../../../src/gate/ollama-gate.ts";
import { boundedOllama } from "../../../src/ollama/bounded-ollama.ts";
import { answers, answersAndHangs, saysNothing, startOllama, stopsMidStream } from "../../simulators/ollama/ollama.ts";

const bounds = { model: "small:1b", deadline_ms: 10_000, context_tokens: 512, answer_tokens: 16 };
const hi = [new HumanMessage("hi")];

test.each([
  ["before the headers", saysNothing],
  ["in the middle of the stream", stopsMidStream],
])("a call %s rejects with a TimeoutError at the deadline", async (_title, behaviour) => {
  await using fake = await startOllama(behaviour);
  const chat = boundedOllama({ ...bounds, base_url: fake.base_url, deadline_ms: 200 });
  await expect(chat.invoke(hi)).rejects.toMatchObject({ name: "TimeoutError" });
  await expect.poll(fake.openSockets).toBe(0);
});

test.each([
  ["before the headers", saysNothing],
  ["in the middle of the stream", stopsMidStream],
])("an abort %s rejects with its reason", async (_title, behaviour) => {
  await using fake = await startOllama(behaviour);
  const cancel = new AbortController();
  const chat = boundedOllama({ ...bounds, base_url: fake.base_url, signal: cancel.signal });
  const call = chat.invoke(hi);
  const caught = expect(call).rejects.toThrow("enough");
  await expect.poll(() => fake.asked.length).toBe(1);
  cancel.abort(new Error("enough"));
  await caught;
  await expect.poll(fake.openSockets).toBe(0);
});

test("the answer comes as soon as it is complete, also when the server stays connected", async () => {
  await using fake = await startOllama(answersAndHangs({ error_type: "transient" }));
  const { text, usage_metadata } = await boundedOllama({ ...bounds, base_url: fake.base_url }).invoke(hi);
  expect(JSON.parse(text)).toEqual({ error_type: "transient" });
  expect(usage_metadata).toMatchObject({ input_tokens: 300, output_tokens: 9 });
  await expect.poll(fake.openSockets).toBe(0);
});

test("within a graph that streams its messages the gate answers as it does outside", async () => {
  await using fake = await startOllama(answers({ error_type: "transient" }, "length"));
  const gate = createOllamaGate({ model: "small:1b", base_url: fake.base_url, timeout_ms: 5_000 });
  const State = new StateSchema({ reasons: z.array(z.string().nullable()).default([]) });
  const graph = new StateGraph(State)
    .addNode("ask", async () => {
      const cut = await gate.classifyError({ command: "make", output: "boom" });
      fake.behave(answers({ error_type: "transient" }));
      const whole = await gate.classifyError({ command: "make", output: "boom" });
      return { reasons: [cut.fallback, whole.fallback] };
    })
    .addEdge(START, "ask")
    .addEdge("ask", END)
    .compile();
  const updates: unknown[] = [];
  for await (const [mode, chunk] of await graph.stream({}, { streamMode: ["messages", "updates"] })) {
    if (mode === "updates") updates.push(chunk);
  }
  expect(updates).toEqual([{ ask: { reasons: [expect.stringMatching(/^truncated/), null] } }]);
});
