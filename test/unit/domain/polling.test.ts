// How a check with `within` is polled, recorded and shown: promises 1.6.
import { describe, expect, test } from "vitest";
import { levelOf, type NewEvent } from "../../../src/domain/journal.ts";
import { digestOf } from "../../../src/domain/json.ts";
import { StepResult, Steps } from "../../../src/domain/step.ts";
import {
  type CheckTries,
  isPolled,
  pauseAfter,
  pollingText,
  triesText,
  withTry,
} from "../../../src/domain/step-run.ts";
import { stepDiff } from "../../../src/engine/tasks/sop-proof.ts";
import { parseInput } from "../../../src/schema/parse-input.ts";
import { aResult, check, cmd, polled, wait } from "../../support/builders.ts";

describe("the pause after a try", () => {
  test.each([
    [1, 60_000, 1_000],
    [2, 60_000, 2_000],
    [3, 60_000, 4_000],
    [4, 60_000, 5_000],
    [700, 60_000, 5_000],
    [4, 3_500, 2_500],
    [1, 1_001, 1],
    [1, 1_000, null],
    [1, 0, null],
    [3, -20, null],
  ])("with number %i and %i ms left is %s ms", (nth, left, pause) => expect(pauseAfter(nth, left)).toBe(pause));
});

test("many tries are counted, and the first and the last ones recorded", () => {
  let tries: CheckTries = { count: 0, first: [], last: [] };
  for (let nth = 1; nth <= 720; nth++)
    tries = withTry(tries, { nth, after_ms: nth * 5_000, duration_ms: 3, exit_code: 1, timed_out: false });
  expect(tries.count).toBe(720);
  expect(tries.first.map(({ nth }) => nth)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(tries.last.map(({ nth }) => nth)).toEqual([711, 712, 713, 714, 715, 716, 717, 718, 719, 720]);
  expect(StepResult.parse(aResult({ tries }))).toHaveProperty("tries", tries);
});

test.each([
  ["60s", "polled for up to 60 s"],
  ["500ms", "polled for up to 500 ms"],
  ["1.5m", "polled for up to 1.5 min"],
  ["1h", "polled for up to 1 h"],
])("within: %s reads: %s", (within, text) => expect(pollingText(polled("true", within))).toBe(text));

test("no other step is polled", () => {
  for (const step of [check("true"), cmd("true"), wait("60s")])
    expect([isPolled(step), pollingText(step)]).toEqual([false, undefined]);
  expect([triesText(aResult({})), triesText({ tries: { count: 1, first: [], last: [] } })]).toEqual(["", "1 try"]);
});

describe("within in a step", () => {
  const issuesOf = (step: object) => {
    const read = parseInput(Steps, [step]);
    return read.ok ? [] : read.issues.map(({ path, message }) => `${path}: ${message}`);
  };

  test.each<[object, RegExp]>([
    [{ kind: "cmd", value: "x", within: "5s" }, /^0\.within: is for steps of kind check only/],
    [{ kind: "wait", value: "5s", within: "5s" }, /^0\.within: is for steps of kind check only/],
    [{ kind: "mcp_call", server: "a", tool: "b", expect: { contains: "x" }, within: "5s" }, /^0\.within: is for steps/],
    [{ kind: "check", value: "x", within: "0s" }, /^0\.within: must be longer than 0$/],
    [{ kind: "check", value: "x", within: "2h" }, /^0\.within: must be a duration/],
    [{ kind: "check", value: "x", within: "soon" }, /^0\.within: must be a duration/],
    [{ kind: "check", value: "x", within: 60 }, /^0\.within: /],
  ])("is refused with its name: %j", (step, message) =>
    expect(issuesOf(step)).toEqual([expect.stringMatching(message)]),
  );

  test("that is absent or null leaves the step and its digest as they were", () => {
    const plain = { kind: "check", value: "test -e x" };
    expect(Steps.parse([{ ...plain, within: null }])).toEqual([plain]);
    expect(digestOf(Steps.parse([plain]))).toBe(digestOf([plain]));
    expect(digestOf(Steps.parse([{ ...plain, within: "60s" }]))).not.toBe(digestOf([plain]));
  });

  test("is a difference between two versions that a promotion shows", () => {
    expect(stepDiff([check("test -e x")], [polled("test -e x", "60s")])).toEqual([
      { is: "removed", step_index: 0, step: "check test -e x" },
      { is: "added", step_index: 0, step: "check test -e x (polled for up to 60 s)" },
    ]);
  });
});

test("a journal needs the level of a polled check where it has one, and else none", () => {
  const taught = (steps: readonly object[]) => ({ kind: "taught", body: { steps } }) as unknown as NewEvent;
  const tries: CheckTries = { count: 1, first: [], last: [] };
  expect(levelOf([taught([polled("true", "60s")])])).toBe(59);
  expect(levelOf([{ kind: "step_finished", body: aResult({ tries }) }])).toBe(59);
  expect(levelOf([taught([check("true")]), { kind: "step_finished", body: aResult({}) }])).toBeNull();
});
