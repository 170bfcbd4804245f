// The labelled questions that come with orch.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fitsWhole } from "../../../../src/gate/ollama-gate.ts";
import { createRedactor } from "../../../../src/redact/find-secrets.ts";
import { EvalCase } from "../../../../src/tools/eval/task.ts";

const FILE = join(import.meta.dirname, "../../../eval/routing.jsonl");
const lines = readFileSync(FILE, "utf8").trimEnd().split("\n");
const cases = lines.map((line) => EvalCase.parse(JSON.parse(line)));
const errors = cases.filter((one) => one.question === "error");
const approvals = cases.filter((one) => one.question === "approval");

const portion = <T>(all: readonly T[], test: (one: T) => boolean): number => all.filter(test).length / all.length;

describe("the labelled questions", () => {
  test("are enough of both kinds, and each answer is right about as often as the other", () => {
    expect(errors.length).toBeGreaterThanOrEqual(70);
    expect(approvals.length).toBeGreaterThanOrEqual(70);
    for (const share of [
      portion(errors, ({ expected }) => expected === "transient"),
      portion(approvals, ({ expected }) => expected === null),
    ]) {
      expect(share).toBeGreaterThan(0.42);
      expect(share).toBeLessThan(0.58);
    }
  });

  test.each([
    "delete data",
    "restart production service",
    "spend money",
    "change firewall",
    "force push",
    "send messages to people",
  ])("%s is needed at times, and offered in vain at others", (category) => {
    expect(approvals.filter(({ expected }) => expected === category).length).toBeGreaterThanOrEqual(7);
    const inVain = approvals.filter(({ categories, expected }) => categories.includes(category) && expected === null);
    expect(inVain.length).toBeGreaterThanOrEqual(7);
  });

  test("are in a mixed order, so that the first ones stand for all", () => {
    const first = cases.slice(0, 40);
    expect(new Set(first.map(({ question, expected }) => `${question} ${expected}`)).size).toBeGreaterThanOrEqual(8);
    expect(portion(first, ({ question }) => question === "error")).toBeCloseTo(0.5, 0);
  });

  test("hold none twice", () => {
    const asked = cases.map((one) => `${one.command}\n${one.question === "error" ? one.output : one.categories}`);
    expect(asked.filter((one, at) => asked.indexOf(one) !== at)).toEqual([]);
  });

  test("reach the model as they stand: nothing in them looks like a secret, and every command fits", () => {
    const redact = createRedactor([]);
    const texts = cases.flatMap((one) => (one.question === "error" ? [one.command, one.output] : [one.command]));
    expect(texts.filter((text) => redact(text) !== text)).toEqual([]);
    expect(cases.filter(({ command }) => !fitsWhole(command))).toEqual([]);
    expect(errors.some(({ output }) => !fitsWhole(output))).toBe(true);
  });
});
