import { expect, test } from "vitest";
import { timesFound } from "../../../src/doctor/ask-routing.ts";

const answer = (latency_ms: number, fallback: string | null = null) => ({ latency_ms, fallback });

test.each([
  [
    "cold questions too slow",
    { was_loaded: false, error: answer(12_100), approval: answer(4_000) },
    ["falls_back", "answers in 12.1 s cold, 4 s warm; ROUTING_TIMEOUT_MS is 10 s: cold questions take their fallback"],
  ],
  [
    "all too slow",
    { was_loaded: false, error: answer(22_000), approval: answer(12_000) },
    ["falls_back", "answers in 22 s cold, 12 s warm; ROUTING_TIMEOUT_MS is 10 s: every question takes its fallback"],
  ],
  [
    "fast enough",
    { was_loaded: false, error: answer(5_000), approval: answer(900) },
    ["works", "answers in 5 s cold, 0.9 s warm; ROUTING_TIMEOUT_MS is 10 s"],
  ],
  [
    "loaded before",
    { was_loaded: true, error: answer(900), approval: answer(1_100) },
    ["works", "answers in 1.1 s warm; ROUTING_TIMEOUT_MS is 10 s"],
  ],
  [
    "no answer in time",
    { was_loaded: null, error: answer(30_000, "timeout"), approval: null },
    ["broken", "it did not answer within 30 s, and ROUTING_TIMEOUT_MS is 10 s"],
  ],
  [
    "an answer that cannot be used",
    { was_loaded: true, error: answer(100, "not_json"), approval: answer(100) },
    ["falls_back", "answers in 0.1 s warm; the error question had no usable answer (not_json)"],
  ],
])("a model with %s: clients M5", (_title, asked, expected) => {
  const { state, found } = timesFound(asked, 10_000);
  expect([state, found]).toEqual(expected);
});
