import { expect, test } from "vitest";
import type { RoutingFormat } from "../../../../src/ollama/served-model.ts";
import { reportOf } from "../../../../src/tools/eval/compare-formats.ts";
import { type Answered, scoreRouting } from "../../../../src/tools/eval/scores.ts";

const ANSWERS = {
  right: { expected: "unknown", said: "unknown", fallback: null },
  dangerous: { expected: "unknown", said: "transient", fallback: null },
  missed: { expected: "transient", said: "unknown", fallback: null },
  unusable: { expected: "unknown", said: "unknown", fallback: "not_json" },
} as const;
type Kind = keyof typeof ANSWERS;

const measured = (format: RoutingFormat, kinds: readonly Kind[], planned = kinds.length) => {
  const all = kinds.map((kind, line): Answered => {
    const { expected, ...answer } = ANSWERS[kind];
    return {
      line,
      asked: { question: "error", command: "c", output: "o", expected },
      latency_ms: 10 * line,
      ...answer,
    };
  });
  return { format, score: scoreRouting(all, { model: "m", planned }) };
};

test.each<[string, readonly Kind[], readonly Kind[], RoutingFormat | null, RegExp]>([
  [
    "safe fallbacks beat a dangerous answer",
    ["unusable", "unusable"],
    ["right", "dangerous"],
    "json",
    /fewer dangerous/,
  ],
  ["fewer dangerous answers win", ["dangerous", "right"], ["right", "unusable"], "schema", /fewer dangerous/],
  ["then more right ones", ["unusable", "right"], ["right", "right"], "schema", /more right/],
  ["then more usable ones", ["unusable", "right"], ["missed", "right"], "schema", /more usable/],
  ["the default where both answer alike", ["right"], ["right"], "json", /^both answer alike$/],
  [
    "the default where both answer alike, with a word about their dangerous answers",
    ["dangerous"],
    ["dangerous"],
    "json",
    /^both answer alike; both give dangerous answers$/,
  ],
  [
    "the one with fewer dangerous answers, with a word about those that it gives",
    ["dangerous", "dangerous"],
    ["right", "dangerous"],
    "schema",
    /fewer dangerous answers; both give dangerous answers$/,
  ],
  ["none where nothing was usable", ["unusable"], ["unusable"], null, /no answer was usable/],
])("%s: clients M1", (_title, json, schema, take, because) => {
  const [one, other] = [measured("json", json), measured("schema", schema)];
  for (const all of [
    [one, other],
    [other, one],
  ]) {
    expect(reportOf(all)).toMatchObject({ take, take_because: expect.stringMatching(because) });
  }
});

test("nothing is recommended after a run that was stopped, and the figures of each format are there", () => {
  const report = reportOf([measured("json", ["right", "unusable", "dangerous"], 4), measured("schema", [], 4)]);
  expect(report).toMatchObject({ take: null, take_because: "not all questions were asked", format: "json", right: 1 });
  expect(report.formats).toEqual([
    { format: "json", cases: 3, usable: 2, right: 1, dangerous: 1, median_ms: 10, p95_ms: 20 },
    { format: "schema", cases: 0, usable: 0, right: 0, dangerous: 0, median_ms: null, p95_ms: null },
  ]);
});
