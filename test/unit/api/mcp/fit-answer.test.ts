// Tests that answers are cut to what a model should read at once, and that what a supervisor needs to go on stays.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitAnswer, fittingItems, MAX_TOKENS, tokensOf } from "../../../../src/api/mcp/fit-answer.ts";
import { SHAPES } from "../../../../src/api/operations/shapes.ts";
import { jsonSchemaOf } from "../../../../src/schema/json-schema.ts";
import { valuesOf } from "../../../support/schema-values.ts";
import { tokensIn } from "../../../support/tokens.ts";

describe("the count of tokens", () => {
  test.each([
    ["words", "The quick brown fox jumps over the lazy dog. ".repeat(200)],
    ["numbers", Array.from({ length: 2_000 }, (_, n) => 100_000 + n).join("\n")],
    ["hexadecimal digits", Array.from({ length: 4_000 }, (_, n) => ((n * 2_654_435_761) >>> 0).toString(16)).join("")],
    ["Japanese", "日本語の出力が続きます。".repeat(200)],
    ["emoji", "🙂🚀".repeat(500)],
    ["invisible characters", "a\u202eb\u200b".repeat(500)],
  ])("is at most a fifth below that of a tokenizer: %s", (_what, text) => {
    expect(tokensOf(text)).toBeGreaterThanOrEqual(tokensIn(text) / 1.2);
  });
});

describe("an answer", () => {
  test("that fits stays as it is", () => {
    const output = { a: "x", list: [1, 2] };
    expect(fitAnswer(output, "more")).toBe(output);
  });

  test("loses the middle of long texts and lists, and says so", () => {
    const output = { id: "a", text: `<${"x".repeat(50_000)}>`, list: Array.from({ length: 5_000 }, (_, n) => n) };
    const { id, text, list, cut } = fitAnswer(output, "ask again") as Record<string, unknown>;
    expect(id).toBe("a");
    const [, left_out = ""] = /^<x+\[(\d+) characters are left out\]x+>$/.exec(String(text)) ?? [];
    const numbers = list as number[];
    expect([numbers[0], numbers.at(-1)]).toEqual([0, 4_999]);
    expect(cut).toEqual([
      `text: ${left_out} of 50002 characters`,
      `list: ${5_000 - numbers.length} of 5000 items after the first ${Math.ceil(numbers.length / 2)}`,
      "ask again",
    ]);
  });

  test.each([
    ["8 commands of 520 characters", 8, 520],
    ["20 commands of 300 characters", 20, 300],
    ["one of 900,000", 1, 900_000],
    ["1,000 of 20", 1_000, 20],
  ])("with %s keeps every field of its records and fills its room", (_what, count, length) => {
    const step = (_: unknown, index: number) => ({
      index,
      command: "c".repeat(length),
      status: "pending",
      attempt: null,
    });
    const next = [{ operation: "approve", arguments: { approval_id: "a-1" }, text: "Ask a human." }];
    const outcome = { reason_code: "approval_required", approval_id: "a-1", message: "m".repeat(500) };
    const waiting = { is: "approval", approval_id: "a-1" };
    const steps = Array.from({ length: count }, step);
    const task = { task_id: "t-1", steps, outcome, waiting, next };
    const commands = steps.map(({ command }) => command).join("\n");
    const output = { approval_id: "a-1", digest: "d".repeat(64), content: { text: commands }, task, next };
    const fitted = fitAnswer(output, "ask again") as typeof output;
    expect(Object.keys(fitted.task)).toEqual(Object.keys(task));
    expect(fitted).toMatchObject({ approval_id: "a-1", digest: output.digest, task: { outcome, waiting, next }, next });
    for (const shown of fitted.task.steps) expect(Object.keys(shown)).toEqual(Object.keys(step(null, 0)));
    expect(tokensOf(fitted)).toBeLessThanOrEqual(MAX_TOKENS);
    expect(tokensOf(fitted)).toBeGreaterThan(MAX_TOKENS * 0.8);
  });

  test.each([
    ["32 attributes of 1,024 characters, twice", Object.fromEntries(wideTarget())],
    ["a name of 900,000 characters", { ["n".repeat(900_000)]: 1 }],
  ])("with data of a caller that holds %s keeps every field of its own", (_what, target) => {
    const next = [{ operation: "teach", arguments: { task_id: "t-1", target }, text: "Teach it." }];
    const output = { task_id: "t-1", target, outcome: { reason_code: "no_sop" }, waiting: null, steps: [], next };
    const fitted = fitAnswer(output, "ask again");
    expect(tokensOf(fitted)).toBeLessThanOrEqual(MAX_TOKENS);
    expect(Object.keys(fitted)).toEqual([...Object.keys(output), "cut"]);
    expect(fitted).toMatchObject({
      ...output,
      target: {},
      next: [{ operation: "teach", arguments: { task_id: "t-1" } }],
    });
  });

  test("fits also where it is wide and deep", () => {
    const nested = (levels: number): unknown =>
      levels === 0 ? "y".repeat(500) : Array.from({ length: 8 }, () => nested(levels - 1));
    const wide = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`field_${n}`, `value ${n}`]));
    for (const output of [{ id: "a", nested: nested(5) }, { wide }, { id: "a", ...wide }]) {
      const fitted = fitAnswer(output, "ask again");
      expect(tokensOf(fitted)).toBeLessThanOrEqual(MAX_TOKENS);
      expect((fitted["cut"] as string[]).at(-1)).toBe("ask again");
    }
  });

  test("keeps whole characters at a cut", () => {
    const { text } = fitAnswer({ text: `a${"🙂".repeat(20_000)}` }, "more") as { text: string };
    expect(text.isWellFormed()).toBe(true);
  });
});

function wideTarget(): [string, string][] {
  return Array.from({ length: 32 }, (_, n) => [`name_${n}_`.padEnd(64, "n"), "日".repeat(1_024)]);
}

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const GUIDES = ["next", "outcome", "waiting"];
const isId = (key: string, value: unknown): boolean =>
  /_id$|^status$|code$|^digest$/.test(key) && typeof value === "string" && value.length <= 128;

/** The same with long texts and lists, and with many fields where callers keep their data. Lists in lists do not grow. */
function grown(value: unknown, times: number, key = "", longer = times): unknown {
  if (GUIDES.includes(key) || isId(key, value)) return value;
  if (typeof value === "string") return value.repeat(times);
  if (Array.isArray(value)) {
    const items = value.map((item) => grown(item, times, "", 1));
    return Array.from({ length: items.length * longer }, (_, n) => items[n % items.length]);
  }
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).map(([name, held]) => [name, grown(held, times, name, longer)]);
  const many = key === "payload" ? Array.from({ length: times }, (_, n) => [`field_${n}`, n]) : [];
  return Object.fromEntries([...fields, ...many]);
}

/** What a supervisor needs to go on: the fields of the answer and of the records in it. */
const partsOf = (answer: Fields): [string, unknown][] =>
  Object.entries(answer)
    .flatMap(([key, value]) => [
      [key, value] as const,
      ...(isRecord(value) ? Object.entries(value).map(([name, held]) => [`${key}.${name}`, held] as const) : []),
    ])
    .filter(([path]) => path !== "cut" && !path.startsWith("payload."))
    .map(([path, value]) => {
      const name = path.split(".").at(-1) ?? "";
      return [path, GUIDES.includes(name) || isId(name, value) ? value : null];
    });

test.each(SHAPES.map(({ name, output }) => [name, output] as const))(
  "an answer of %s of any size fits and has every field",
  (_name, output) => {
    const answers = valuesOf(jsonSchemaOf(output, "output"), {}, new Map()).filter(isRecord);
    const fits = (answer: Fields, times: number) => {
      const large = grown(answer, times) as Fields;
      const guides = partsOf(large).filter(([, value]) => value !== null);
      fc.pre(guides.every(([, value]) => tokensOf(value) <= MAX_TOKENS / 8));
      const fitted = fitAnswer(large, "ask again");
      expect(tokensOf(fitted)).toBeLessThanOrEqual(MAX_TOKENS);
      expect(partsOf(fitted)).toEqual(partsOf(large));
    };
    const times = fc.constantFrom(3, 30);
    fc.assert(fc.property(answers, times, fits), { numRuns: 4, seed: 45, endOnFailure: true });
  },
);

test("a page holds the first items that fit, and at least one", () => {
  const items = ["x".repeat(100), "y".repeat(100), "z".repeat(100)];
  expect(fittingItems(items, 1_000)).toEqual(items);
  expect(fittingItems(items, 110)).toEqual(items.slice(0, 2));
  expect(fittingItems(items, 1)).toEqual(items.slice(0, 1));
  expect(fittingItems([], 1)).toEqual([]);
});
