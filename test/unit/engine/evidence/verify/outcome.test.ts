// What a task says of its checks is held against its verdict, also in a journal that was written anew as a whole.
import { describe, expect, test } from "vitest";
import { type Outcome, outcome } from "../../../../../src/domain/outcome.ts";
import { type CheckProof, proofSummary } from "../../../../../src/domain/proof.ts";
import type { Verdict } from "../../../../../src/domain/verification.ts";
import { outcomeFaults } from "../../../../../src/engine/evidence/verify/walk.ts";
import { projection } from "../../../../../src/engine/tasks/projection.ts";
import { journalOf } from "../../../../support/builders.ts";

const proof: CheckProof = { class: "sensitive", seen_red: ["control"], change: "was_true_already", reason: null };
const checks = [{ step_index: 1, criterion: null, passed: true, exit_code: 0, proof }];
const verdictOf = (reason_code: Verdict["reason_code"]): Verdict => ({
  passed: true,
  reason_code,
  step_index: null,
  checks,
  uncovered_criteria: [],
});
const done = (reason_code: Outcome["reason_code"], summary = proofSummary(checks)) =>
  outcome("ok", reason_code, "It is done.", { thread_id: "t-1", proof: summary });

const faults = (verdict: Verdict | null, reported: Outcome | null) =>
  outcomeFaults(
    projection(
      journalOf(
        ...(verdict === null ? [] : [{ kind: "verdict_reached", body: verdict } as const]),
        ...(reported === null ? [] : [{ kind: "reported", body: reported } as const]),
      ),
    ),
  );

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
    expect(faults(null, done("verified"))).toContain("outcome.proof does not follow from the verdict: it differs.");
  });

  test.each([
    { title: "no verdict", verdict: null, code: "verified" },
    { title: "no verdict, done already", verdict: null, code: "already_done" },
    { title: "a verdict that failed", verdict: { ...verdictOf("check_failed"), passed: false }, code: "verified" },
    {
      title: "DONE with the code of a failure",
      verdict: { ...verdictOf("check_failed"), passed: false },
      code: "check_failed",
    },
    { title: "a verdict that nothing proves", verdict: { ...verdictOf("verified"), passed: false }, code: "verified" },
    { title: "done already, verified", verdict: verdictOf("verified"), code: "already_done" },
    { title: "verified, done already", verdict: verdictOf("already_done"), code: "verified" },
  ] as const)("is found out where DONE has another verdict: $title", ({ verdict, code }) => {
    expect(faults(verdict, done(code, null))).toContain("the outcome does not follow from the verdict: reason_code.");
  });

  test.each(["skill_done", "sop_replaced"] as const)("is not asked of a task that no check makes DONE: %s", (code) => {
    expect(faults(null, done(code, null))).toEqual([]);
  });
});
