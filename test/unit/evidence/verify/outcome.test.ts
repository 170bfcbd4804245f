// What a task says of its checks is held against its verdict, also in a journal that was written anew as a whole.
import { describe, expect, test } from "vitest";
import { type Outcome, outcome } from "../../../../src/domain/outcome.ts";
import { type CheckProof, proofSummary } from "../../../../src/domain/proof.ts";
import type { Verdict } from "../../../../src/domain/verdict.ts";
import { outcomeFaults } from "../../../../src/evidence/verify/outcome.ts";
import { walk } from "../../../../src/evidence/verify/walk.ts";
import { aContract, journalOf } from "../../../support/builders.ts";

const proof: CheckProof = { class: "sensitive", seen_red: ["control"], change: "was_true_already", reason: null };
const checks = [{ step_index: 1, criterion: null, passed: true, exit_code: 0, proof }];
const verdictOf = (reason_code: Verdict["reason_code"]): Verdict => ({
  ...{ passed: true, reason_code, step_index: null, checks, uncovered_criteria: [] },
});
const done = (reason_code: Outcome["reason_code"], summary = proofSummary(checks)) =>
  outcome("ok", reason_code, "It is done.", { thread_id: "t-1", proof: summary });

const faults = (verdict: Verdict | null, reported: Outcome | null) =>
  outcomeFaults(
    walk(
      journalOf(
        ...(verdict === null ? [] : [{ kind: "verdict_reached", body: verdict } as const]),
        ...(reported === null ? [] : [{ kind: "reported", body: reported } as const]),
      ),
      aContract(),
    ),
  );

const NOT_PASSED = "the task is reported as done without a verdict that passed.";

describe("what an outcome says of the checks", () => {
  test("follows from the verdict", () => {
    for (const code of ["verified", "already_done"] as const) expect(faults(verdictOf(code), done(code))).toEqual([]);
    expect(faults(verdictOf("verified"), done("verified", null)), "as before there were summaries").toEqual([]);
    expect(faults(null, null)).toEqual([]);
  });

  test("is found out where it is better than the verdict", () => {
    const proved = { ...proof, class: "proved" } as const;
    const better = proofSummary([{ proof: proved }]);
    expect(faults(verdictOf("verified"), done("verified", better))).toEqual([
      "outcome.proof does not follow from the verdict: proved.",
    ]);
    expect(faults(null, done("verified"))).toEqual([
      NOT_PASSED,
      "outcome.proof does not follow from the verdict: it differs.",
    ]);
  });

  test("is found out where only one of the two says that the task was done already", () => {
    const fault = "the reason_code and the verdict differ on whether the task was done already.";
    expect(faults(verdictOf("verified"), done("already_done"))).toEqual([fault]);
    expect(faults(verdictOf("already_done"), done("verified"))).toEqual([fault]);
    expect(faults(null, done("already_done", null))).toEqual([NOT_PASSED, fault]);
  });

  test("is found out where the task is done and the verdict failed, or there is none", () => {
    const failed = { ...verdictOf("check_failed"), passed: false, step_index: 1 };
    expect(faults(failed, done("verified"))).toEqual([NOT_PASSED]);
    expect(faults(null, done("verified", null))).toEqual([NOT_PASSED]);
    expect(faults(null, outcome("ok", "skill_done", "Moved.", { thread_id: "t-1" }))).toEqual([]);
  });
});
