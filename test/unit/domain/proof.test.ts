// What is recorded of checks (D-193): examinations of earlier releases, and the summary of a task that is done.
import { describe, expect, test } from "vitest";
import { type CheckProof, Examination, proofSummary } from "../../../src/domain/proof.ts";
import { isRed } from "../../../src/domain/step-run.ts";

test("an examination of an earlier release does not say whether time may turn it", () => {
  const look = { answer: "red", exit_code: null, reason: null };
  const old = {
    constant: null,
    chance: null,
    names_target: true,
    reads_before: false,
    joined: false,
    red_at: null,
    control: { ...look, world: "empty", wrote: false },
    decoy: look,
  };
  expect(Examination.parse(old)).toEqual(old);
  expect(Examination.parse({ ...old, by_time: true }).by_time).toBe(true);
});

test("an exit code is red when the check ran and said no", () => {
  const codes = [0, 1, 2, 125, 126, 127, 128, 129, 143, 192, 193, 255];
  expect(codes.filter(isRed)).toEqual([1, 2, 125, 128, 193, 255]);
});

describe("the summary of the checks", () => {
  const proof = (name: CheckProof["class"], change: CheckProof["change"] = "not_looked_at") => ({
    proof: { class: name, seen_red: [], change, reason: null } satisfies CheckProof,
  });

  test("counts each class, and what became true", () => {
    const checks = [
      ...[proof("proved", "became_true"), proof("proved", "was_true_already"), proof("sensitive", "became_true")],
      ...[proof("unproved"), proof("cannot_tell", "compared"), proof("not_possible"), {}],
    ];
    expect(proofSummary(checks)).toEqual({
      checks: 7,
      proved: 2,
      sensitive: 1,
      unproved: 1,
      cannot_tell: 1,
      not_possible: 1,
      became_true: 2,
    });
  });

  test("is none where nothing was examined", () => {
    expect([proofSummary([]), proofSummary([{}, {}])]).toEqual([null, null]);
  });
});
