// The bar of the guard on labelled files: the shared sample, and far more lines of the same kind, written by people who did
// not know the guard.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inspect } from "../../guard.ts";
import { CONTEXT } from "./context.ts";
import misses from "./labelled-misses.json" with { type: "json" };
import { readLabelled, scoreOf } from "./score.ts";

const FILES = [
  ["the shared sample", "../../../../test/fixtures/policy-sample.jsonl", 40],
  ["always-blocked commands, plain and hidden", "labelled-blocked.jsonl", 3_500],
  ["everyday commands", "labelled-benign.jsonl", 3_000],
] as const;

describe.each(FILES)("the labelled file of %s", (_name, file, atLeast) => {
  const lines = readLabelled(join(import.meta.dirname, file));
  const score = scoreOf(lines);

  test("is whole: every line differs", () => {
    expect(lines.length).toBeGreaterThanOrEqual(atLeast);
    expect(new Set(lines.map(({ command }) => command)).size).toBe(lines.length);
  });

  test("no line is judged wrongly but those of labelled-misses.json [5.docker_prune.filtered]", () => {
    const known = new Map(Object.entries(misses));
    expect(score.misses.filter(({ command, got }) => known.get(command) !== got)).toEqual([]);
  });

  test("a line that names a finding has it", () => {
    const named = lines.filter(({ code }) => code !== undefined);
    const codesOf = ({ command }: (typeof lines)[number]) => inspect(command, CONTEXT).findings.map(({ code }) => code);
    expect(named.filter((line) => !codesOf(line).some((code) => code === line.code))).toEqual([]);
  });

  test("families rm, git and docker are blocked to the last line", () => {
    const plain = score.misses.filter(
      ({ family, verdict }) => /^(rm|git|docker)$/.test(family) && verdict === "always_blocked",
    );
    expect(plain.map(({ command }) => command)).toEqual([]);
  });

  test("at least 97 % of all that is always blocked is blocked", () => {
    expect(score.blocked).toBeGreaterThanOrEqual(0.97);
  });

  test("of the rest at most 1 % is blocked and 4 % is sent to approval", () => {
    expect(score.wrongly_blocked).toBeLessThanOrEqual(0.01);
    expect(score.wrongly_asked).toBeLessThanOrEqual(0.04);
  });
});
