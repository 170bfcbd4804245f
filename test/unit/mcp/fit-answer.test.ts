// Tests that answers are cut to what a model should read at once, and that what a supervisor needs to go on stays.
import { describe, expect, test } from "vitest";
import { fitAnswer, fittingItems, MAX_TOKENS, tokensOf } from "../../../src/mcp/fit-answer.ts";
import { tokensIn } from "../../support/tokens.ts";

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

test("a page holds the first items that fit, and at least one", () => {
  const items = ["x".repeat(100), "y".repeat(100), "z".repeat(100)];
  expect(fittingItems(items, 1_000)).toEqual(items);
  expect(fittingItems(items, 110)).toEqual(items.slice(0, 2));
  expect(fittingItems(items, 1)).toEqual(items.slice(0, 1));
  expect(fittingItems([], 1)).toEqual([]);
});
