import { expect, test } from "vitest";
import { createRecentAnswers } from "../../../src/metrics/metrics.ts";

const answered = (fallback: string | null) =>
  ({
    kind: "gate_answered",
    body: { question: "error", about: "step 0, attempt 1", answer: {}, fallback, model: "small:1b", latency_ms: 1 },
  }) as const;

test.each<[string, readonly (string | null)[], string | null]>([
  ["no answer to two questions", ["timeout", "timeout"], null],
  [
    "no answer to three questions",
    Array(3).fill("timeout"),
    "0 of the last 3 questions to the routing model were answered (timeout 3). The others took their fallback.",
  ],
  [
    "no answer to many questions",
    Array(50).fill("timeout"),
    "0 of the last 20 questions to the routing model were answered (timeout 20). The others took their fallback.",
  ],
  ["half of the answers", ["timeout", null, "not_json", null], null],
  [
    "less than half of the answers",
    ["timeout", null, "not_json", "timeout"],
    "1 of the last 4 questions to the routing model were answered (timeout 2, not_json 1). The others took their fallback.",
  ],
  ["the last 20 questions only", [...Array(20).fill("timeout"), ...Array(11).fill(null)], null],
  ["questions that were not asked", Array(9).fill("no_model"), null],
  ["questions that were cancelled", Array(9).fill("aborted"), null],
])("notices what is wrong with %s: clients M6", (_title, fallbacks, notice) => {
  const answers = createRecentAnswers();
  for (const fallback of fallbacks) answers.note([answered(fallback)]);
  expect(answers.notice()).toBe(notice);
});
