// The estimate of tokens, against counts of the vocabularies of Qwen 2.5 and GPT-4o that were made once for these texts.
import { describe, expect, test } from "vitest";
import { FIRST_FACTOR, factorAfter, halfBytes, tokensIn } from "../../../../src/features/agents/transcript.ts";

const WORDS =
  "service container image volume network replica config token budget region cluster restart policy health probe".split(
    " ",
  );
const word = (at: number): string => WORDS[at % WORDS.length] ?? "";

/** Forty tools with four parameters each. */
const tools = Array.from({ length: 40 }, (_, n) => ({
  type: "function",
  function: {
    name: `lab__${word(n)}_${word(7 * n)}_${n}`,
    description: `Changes the ${word(n)} of the ${word(3 * n)}; it fails where the ${word(5 * n)} does not exist. Use it after the list of every ${word(n)}.`,
    parameters: {
      type: "object",
      properties: Object.fromEntries(
        [0, 1, 2, 3].map((p) => [
          `${word(n + p)}_${p}`,
          {
            type: p % 2 === 0 ? "string" : "integer",
            description: `The ${word(n + p)} that is meant, by its name or number; without it, the ${word(n + p + 2)} of the last call`,
          },
        ]),
      ),
      required: [`${word(n)}_0`],
      additionalProperties: false,
    },
  },
}));

const TEXTS = {
  tools: JSON.stringify(tools),
  digits: Array.from({ length: 500 }, (_, i) => (i * 7919) % 100_003).join(" "),
  "a row of digits": "3141592653589793238462643383279502884197".repeat(20),
  "lines of a log": Array.from(
    { length: 60 },
    (_, i) => `2026-03-06T09:00:${10 + (i % 50)}Z web-${i} INFO GET /api/items/${i * 37} 200 in ${i * 3} ms`,
  ).join("\n"),
  "a listing": Array.from(
    { length: 60 },
    (_, i) => `-rw-r--r-- 1 root root ${String(i * 7919).padStart(8)} Mar  6 09:00 ${word(i)}-${i}.conf`,
  ).join("\n"),
  prose: "The container does not answer on its port; read the log, mend the configuration and restart it. ".repeat(20),
  cyrillic: "Контейнер не отвечает на порту, проверьте журнал и перезапустите службу. ".repeat(10),
} as const;

/** Qwen 2.5, GPT-4o. */
const COUNTED: Readonly<Record<keyof typeof TEXTS, readonly [number, number]>> = {
  tools: [7_693, 7_823],
  digits: [2_939, 1_493],
  "a row of digits": [800, 267],
  "lines of a log": [2_619, 1_831],
  "a listing": [2_011, 1_618],
  prose: [401, 401],
  cyrillic: [241, 201],
};

describe("the estimate", () => {
  test.each(Object.entries(COUNTED))(
    "is close to the dearer of two vocabularies, with its margin, for %s",
    (name, counts) => {
      const estimated = tokensIn(TEXTS[name as keyof typeof TEXTS]) * FIRST_FACTOR;
      const dearest = Math.max(...counts);
      expect(estimated).toBeGreaterThanOrEqual(0.95 * dearest);
      expect(estimated).toBeLessThanOrEqual(2.2 * dearest);
    },
  );

  test("is at most a quarter above the count for forty tools with four parameters", () => {
    expect(tokensIn(TEXTS.tools) * FIRST_FACTOR).toBeLessThanOrEqual(1.25 * COUNTED.tools[0]);
  });
});

describe("the factor", () => {
  const turn = (tokens: number, fault: string | null = null) => ({
    ...(fault === null && { prompt: { estimated: 1_000, tokens } }),
    fault,
  });

  test("is that of the last answer, with a margin", () => {
    expect(factorAfter([])).toBe(FIRST_FACTOR);
    expect(factorAfter([turn(2_000), turn(900)])).toBeCloseTo(0.927);
  });

  test("does not follow a count of what the cache of the server did not hold", () => {
    expect(factorAfter([turn(900), turn(40)])).toBeCloseTo(0.927);
  });

  test("grows after a question that the server refused as too long, and never without bound", () => {
    const refused = turn(0, "truncated: the question exceeds the context");
    expect(factorAfter([refused])).toBeCloseTo(FIRST_FACTOR * 1.25);
    expect(factorAfter(Array.from({ length: 20 }, () => refused))).toBe(2.5);
    expect(factorAfter([turn(90_000)])).toBe(2.5);
    expect(factorAfter([turn(0, "timeout")])).toBe(FIRST_FACTOR);
  });
});

test("an excerpt of dense text is shorter than one of words that takes as many tokens", () => {
  const [words, digits] = [halfBytes("some words ".repeat(1_000), 100), halfBytes("0123456789".repeat(1_000), 100)];
  expect(words).toBeGreaterThan(3 * digits);
  expect(halfBytes("short", 100)).toBe(5);
});
