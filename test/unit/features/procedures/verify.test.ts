// What a bundle says of a version on trial is held against its verdict, also in a journal that was written anew as a whole.
import { describe, expect, test } from "vitest";
import type { Finding } from "../../../../src/domain/finding.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import type { CheckProof } from "../../../../src/domain/proof.ts";
import type { Verdict } from "../../../../src/domain/verification.ts";
import { walk } from "../../../../src/engine/evidence/verify/walk.ts";
import { givenBack, trialEndOf } from "../../../../src/engine/tasks/sop-trial.ts";
import { aContract, journalOf } from "../../../support/builders.ts";
import { pinning, procedureOf } from "../../../support/pipeline-parts.ts";
import { aSop } from "../../engine/tasks/a-sop.ts";

const CONTRACT = aContract();
const ON_TRIAL = procedureOf([], { on_trial: true });
const SOP = aSop({ trial_left: 1 });
const BEFORE = aSop({ sop_id: "00000000-0000-4000-8000-000000000002", version: 2, status: "deprecated" });
const ASKED = { step_index: 0, verdict: "ask", reason: "it asks", command: null, category: null } as const;
const ASKS: Finding = { ...ASKED, code: "safety.on_trial" };
const verdictOf = (passed: boolean, worth: CheckProof["class"] = "proved"): Verdict => ({
  passed,
  reason_code: passed ? "verified" : "check_failed",
  step_index: null,
  uncovered_criteria: [],
  checks: [
    {
      step_index: 1,
      criterion: null,
      passed,
      exit_code: passed ? 0 : 1,
      ...(passed && { proof: { class: worth, seen_red: [], change: "became_true", reason: null } }),
    },
  ],
});
const endOf = (verdict: Verdict, previous: typeof BEFORE | null) =>
  trialEndOf(SOP, previous, { task_id: "t-1", verdict });

const PROVED = endOf(verdictOf(true), null).events;
const FAILED = endOf(verdictOf(false), BEFORE).events;

type Recorded = {
  readonly procedure?: typeof ON_TRIAL;
  readonly findings?: readonly Finding[];
  readonly verdict?: Verdict | null;
  readonly events?: readonly NewEvent[];
  readonly message?: string;
};

const faults = ({ procedure = ON_TRIAL, findings = [ASKS], verdict = null, events = [], message = "" }: Recorded) =>
  walk(
    journalOf(
      { kind: "task_accepted", body: { contract: CONTRACT, contract_digest: "" } },
      pinning(procedure),
      { kind: "policy_judged", body: { findings: [...findings] } },
      ...(verdict === null ? [] : [{ kind: "verdict_reached", body: verdict } as const]),
      ...events,
      { kind: "reported", body: outcome("ok", "verified", message, { thread_id: "t-1" }) },
    ),
    CONTRACT,
  ).journal_faults.flatMap(({ rule, fault }) => (rule === "trial" ? [fault] : []));

const NOT_FROM_THE_VERDICT = [
  expect.stringMatching(/^journal entry 5 changes a version in a way that does not follow from the verdict\.$/),
];

describe("what became of a version on trial", () => {
  test.each([
    ["proved", verdictOf(true), null],
    ["not possible", verdictOf(true, "not_possible"), BEFORE],
    ["not proved, without a version before it", verdictOf(true, "unproved"), null],
    ["not proved, after one that is proved no better", verdictOf(true, "unproved"), BEFORE],
    ["not proved, after one that is proved", verdictOf(true, "unproved"), { ...BEFORE, level: "proved" as const }],
    ["failed", verdictOf(false), BEFORE],
  ])("follows from the verdict: %s", (_what, verdict, previous) => {
    const { events, sentence } = endOf(verdict, previous);
    expect(faults({ verdict, events, message: `1 check. ${sentence}` })).toEqual([]);
    expect(faults({ verdict, message: "another run has ended the trial" })).toEqual([]);
  });

  test("is accepted as older versions of orch have written it: given back, though the run had passed", () => {
    const verdict = verdictOf(true, "unproved");
    const { events, sentence } = givenBack(SOP, BEFORE, { task_id: "t-1", verdict });
    expect(faults({ verdict, events, message: `1 check passed. ${sentence}` })).toEqual([]);
    const { sentence: kept } = endOf(verdict, { ...BEFORE, level: "proved" });
    expect(faults({ verdict, message: `1 check passed. ${kept}` })).toHaveLength(1);
  });

  test.each([
    ["it failed and is proved", verdictOf(false), PROVED],
    ["it is unproved and is proved", verdictOf(true, "unproved"), PROVED],
    ["it is proved and gives way", verdictOf(true), FAILED],
    ["there is no verdict", null, PROVED],
    ["nothing was run", { ...verdictOf(true), reason_code: "already_done" } as const, PROVED],
    ["its message is missing", verdictOf(false), FAILED.slice(0, 2)],
    ["only the message is there", verdictOf(false), FAILED.slice(2)],
    ["the version before it is missing", verdictOf(false), FAILED.toSpliced(1, 1)],
  ])("is found out where %s", (_what, verdict, events) => {
    expect(faults({ verdict, events })).toEqual(NOT_FROM_THE_VERDICT.map((one) => (verdict === null ? AT_FOUR : one)));
  });

  test("is found out where the procedure was not on trial, or was taught", () => {
    const verdict = verdictOf(false);
    const { events } = endOf(verdict, BEFORE);
    expect(faults({ procedure: procedureOf([]), findings: [], verdict, events })).toEqual(NOT_FROM_THE_VERDICT);
    const taught = procedureOf([], { sop_id: null, sop_version: null });
    const [message] = events.slice(2);
    const recorded = { procedure: taught, findings: [], verdict, events: message === undefined ? [] : [message] };
    expect(faults(recorded)).toEqual(NOT_FROM_THE_VERDICT);
  });

  test("is found out where only the outcome says that a version is active again", () => {
    const verdict = verdictOf(false);
    const { sentence } = endOf(verdict, BEFORE);
    expect(faults({ verdict, message: `1 check failed. ${sentence}` })).toEqual([
      "outcome.message speaks of a version that is active again, and no journal entry makes it so.",
    ]);
    expect(faults({ verdict, message: `It said last: "${sentence}"` }), "as output it says nothing").toEqual([]);
  });

  test("is found out where the outcome does not say it", () => {
    const verdict = verdictOf(false);
    const { events } = endOf(verdict, BEFORE);
    expect(faults({ verdict, events, message: "1 check failed." })).toEqual([
      "outcome.message does not say what has become of the version on trial.",
    ]);
  });
});

const AT_FOUR = expect.stringMatching(/^journal entry 4 changes a version/);

describe("the question of a version on trial", () => {
  const FAULT = ["procedure.on_trial and the findings differ on whether the version is on trial."];

  test("is there, and only there", () => {
    expect(faults({})).toEqual([]);
    expect(faults({ procedure: procedureOf([]), findings: [] })).toEqual([]);
    expect(faults({ findings: [] }), "it was not judged yet").toEqual([]);
    expect(faults({ findings: [{ ...ASKS, code: "scope.server" }] })).toEqual(FAULT);
    expect(faults({ procedure: procedureOf([]) })).toEqual(FAULT);
    expect(faults({ procedure: { ...ON_TRIAL, sop_id: null } })).toEqual(FAULT);
  });

  test("was asked before a step started", () => {
    const started: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1 } };
    expect(faults({ findings: [], events: [started] })).toEqual(FAULT);
  });
});
