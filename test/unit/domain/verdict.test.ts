import { describe, expect, test } from "vitest";
import type { CheckProof } from "../../../src/domain/proof.ts";
import {
  alreadyDoneSentence,
  hasTriedProcedure,
  judge,
  judgeLooks,
  passedSentence,
  uncoveredSentence,
} from "../../../src/domain/verification.ts";
import { aResult, check, cmd } from "../../support/builders.ts";

const steps = [cmd("up"), check("served")];
const covers = [{ criterion: "the page is served", step_index: 1 }];
const criteria = ["the page is served"];
const passed = (index: number) => aResult({ index });
const failed = (index: number) => aResult({ index, status: "failed", exit_code: 7 });

describe("the verdict", () => {
  test("passes when every check passed [3.rule.3]", () => {
    const verdict = judge({ steps, results: [passed(0), passed(1)], covers, success_criteria: criteria });
    expect(verdict).toMatchObject({ passed: true, reason_code: "verified", uncovered_criteria: [] });
    expect(verdict.checks).toEqual([{ step_index: 1, criterion: "the page is served", passed: true, exit_code: 0 }]);
  });

  test("fails when a check failed, and names it [3.rule.3.failed]", () => {
    const verdict = judge({ steps, results: [passed(0), failed(1)], covers, success_criteria: criteria });
    expect(verdict).toMatchObject({ passed: false, reason_code: "check_failed", step_index: 1 });
  });

  test("fails when a command failed: checks that never ran did not pass", () => {
    const verdict = judge({ steps, results: [failed(0)], covers, success_criteria: criteria });
    expect(verdict).toMatchObject({ passed: false, reason_code: "step_failed", step_index: 0 });
    expect(verdict.checks[0]).toMatchObject({ passed: false, exit_code: null });
  });

  test("never passes on no check at all", () => {
    const verdict = judge({ steps: [cmd("up")], results: [passed(0)], covers: [], success_criteria: [] });
    expect(verdict).toMatchObject({ passed: false, reason_code: "nothing_verified" });
  });

  test("names criteria that this SOP has no check for", () => {
    const verdict = judge({ steps, results: [passed(0), passed(1)], covers, success_criteria: [...criteria, "fast"] });
    expect(verdict).toMatchObject({ passed: true, uncovered_criteria: ["fast"] });
  });
});

test.each([
  [[], ""],
  [["it is fast"], 'No check proves "it is fast".'],
  [["a", "b", "c", "d", "e"], 'No check proves "a", "b", "c" and 2 more.'],
  [["x".repeat(500)], `No check proves "${"x".repeat(120)}".`],
])("the criteria %j that no check proves have the sentence %j", (criteria, sentence) => {
  expect(uncoveredSentence(criteria)).toBe(sentence);
});

describe("what a check is worth", () => {
  const PROOF: CheckProof = { class: "unproved", seen_red: [], change: "not_looked_at", reason: null };

  test("is in the verdict where the check passed, and where it is known", () => {
    const two = [...steps, check("fast")];
    const asked: number[] = [];
    const proofAt = (index: number) => {
      asked.push(index);
      return index === 1 ? PROOF : undefined;
    };
    const judged = (last: object) => {
      const results = [passed(0), passed(1), { ...passed(2), ...last }];
      return judge({ steps: two, results, covers, success_criteria: criteria, proofAt }).checks;
    };
    const one = { step_index: 1, criterion: "the page is served", passed: true, exit_code: 0, proof: PROOF };
    expect(judged({})).toEqual([one, { step_index: 2, criterion: null, passed: true, exit_code: 0 }]);
    expect(asked).toEqual([1, 2]);
    expect(judged({ status: "failed", exit_code: 1 })[1]).not.toHaveProperty("proof");
    expect(asked).toEqual([1, 2, 1]);
  });

  const checked = (...proofs: (Partial<CheckProof> | null)[]) =>
    proofs.map((proof, step_index) => ({
      step_index,
      criterion: null,
      passed: true,
      exit_code: 0,
      ...(proof !== null && { proof: { ...PROOF, ...proof } }),
    }));
  const red = (over: Partial<CheckProof> = {}): Partial<CheckProof> => ({ seen_red: ["control"], ...over });
  const ALREADY = { change: "was_true_already" } as const;

  test.each<[string, ReturnType<typeof checked>]>([
    ["1 check passed.", checked(null)],
    ["1 check passed.", checked(red())],
    ["1 check passed, and has never been seen to fail.", checked({})],
    ["2 checks passed.", checked(red(), red({ change: "became_true" }))],
    ["2 checks passed, 1 of them has never been seen to fail.", checked(red(), {})],
    ["2 checks passed, 2 of them have never been seen to fail.", checked({}, {})],
    ["2 checks passed, 1 of them has never been seen to fail.", checked(null, {})],
    ["1 check passed. It was true already before the change.", checked(red(ALREADY))],
    ["2 checks passed. All were true already before the change.", checked(red(ALREADY), red(ALREADY))],
    ["2 checks passed.", checked(red(ALREADY), red())],
    [
      "1 check passed, and has never been seen to fail. It was true already before the change.",
      checked({ change: "was_true_already" }),
    ],
  ])("is said with the end of the task: %s", (sentence, checks) => {
    expect(passedSentence(checks)).toBe(sentence);
  });

  test("is said after the place of the checks", () => {
    expect(passedSentence(checked({}), " after the last change")).toBe(
      "1 check passed after the last change, and has never been seen to fail.",
    );
  });
});

describe("the verdict on looks", () => {
  const proof = { class: "proved", seen_red: ["control"], change: "was_true_already", reason: null } as const;
  const looks = new Map([[1, { exit_code: 0 }]]);
  const judged = (success_criteria: readonly string[] = criteria) =>
    judgeLooks({
      steps,
      looks,
      covers,
      success_criteria,
      proofAt: (index) => (index === 1 ? { ...proof, seen_red: [...proof.seen_red] } : undefined),
    });

  test("passes without a run, with what each check is worth", () => {
    expect(judged()).toEqual({
      passed: true,
      reason_code: "already_done",
      step_index: null,
      uncovered_criteria: [],
      checks: [{ step_index: 1, criterion: "the page is served", passed: true, exit_code: 0, proof }],
    });
    expect(judged([...criteria, "fast"]).uncovered_criteria).toEqual(["fast"]);
  });

  test("says nothing of the procedure, as one on a job that the engine did not accept", () => {
    expect(hasTriedProcedure(judged())).toBe(false);
    expect(hasTriedProcedure({ reason_code: "engine_unreachable" })).toBe(false);
    expect(hasTriedProcedure({ reason_code: "verified" })).toBe(true);
    expect(hasTriedProcedure({ reason_code: "check_failed" })).toBe(true);
  });

  test("has a sentence of its own", () => {
    const { checks } = judged();
    expect(alreadyDoneSentence(checks)).toBe("Already done: 1 check was true before anything ran. Nothing was run.");
    expect(alreadyDoneSentence([...checks, ...checks])).toBe(
      "Already done: 2 checks were true before anything ran. Nothing was run.",
    );
  });
});
