import { expect, test } from "vitest";
import { createNoModelGate } from "../../../src/gate/ollama-gate.ts";

test("every question gets the fallback without a model, and the reply gives the reason", async () => {
  const gate = createNoModelGate();
  const provenance = { fallback: "no_model", model: null, latency_ms: 0 };
  expect(await gate.classifyError({ command: "make", output: "connection refused" })).toEqual({
    answer: { error_type: "unknown" },
    ...provenance,
  });
  expect(await gate.matchCategory({ command: "make", categories: ["deploy"] })).toEqual({
    answer: { requires_approval: true },
    ...provenance,
  });
});

test("nothing needs approval when there is no category to match, model or not", async () => {
  const reply = await createNoModelGate().matchCategory({ command: "make", categories: [] });
  expect(reply).toEqual({ answer: { requires_approval: false }, fallback: null, model: null, latency_ms: 0 });
});
