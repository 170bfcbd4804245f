// What a start of a step must not be, from the entries before it. Each is a promise that is broken when a journal has it.
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../../src/domain/journal.ts";
import type { Step } from "../../../../../src/domain/step.ts";
import { brokenPromises } from "../../../../../src/engine/evidence/verify/promises.ts";
import { aContract, aResult, check, cmd, journalOf, mcpCall } from "../../../../support/builders.ts";

const contract = aContract({ constraints: { implicit_scope: ["notes"], require_approval_for: [] } });
const accepted: NewEvent = { kind: "task_accepted", body: { contract, contract_digest: "d" } };
const pinned = (...steps: Step[]): NewEvent => ({
  kind: "sop_pinned",
  body: { sop_id: null, sop_version: null, steps, criteria: [], safety_level: "standard", preconditions: [] },
});
const starts = (index: number, over: object = {}): NewEvent => ({
  kind: "step_started",
  body: { index, attempt: 1, ...over },
});
const ends = (index: number, status: "passed" | "failed" | "outcome_unknown" = "passed"): NewEvent => ({
  kind: "step_finished",
  body: aResult({ index, status }),
});
const resolved = (resolution: "retry" | "succeeded"): NewEvent => ({
  kind: "step_resolved",
  body: { index: 0, attempt: 1, resolution, reason: null },
});
const blocks: NewEvent = {
  kind: "policy_judged",
  body: {
    findings: [{ step_index: 0, verdict: "block", code: "scope.server", reason: "no", command: null, category: null }],
  },
};
const again = (index: number) => starts(index, { attempt: 2 });
const granted: NewEvent = { kind: "retry_granted", body: { index: 0 } };

const broken = (...events: NewEvent[]) => brokenPromises(journalOf(accepted, ...events));
const plan = pinned(cmd("true"), check("true"));

describe("a start of a step", () => {
  test.each([
    ["is licensed the first time", [plan, starts(0), ends(0), starts(1)], []],
    ["is not licensed after the step has passed", [plan, starts(0), ends(0), starts(0)], ["once"]],
    ["is not licensed after it failed", [plan, starts(0), ends(0, "failed"), again(0)], ["once"]],
    ["is licensed by a granted retry", [plan, starts(0), ends(0, "failed"), granted, again(0)], []],
    ["is not licensed by it twice", [plan, starts(0), ends(0, "failed"), granted, again(0), starts(0)], ["once"]],
    [
      "is not licensed where its outcome is unknown",
      [plan, starts(0), ends(0, "outcome_unknown"), starts(0)],
      ["once"],
    ],
    ["is not licensed where it was cut off", [plan, starts(0), starts(0)], ["once"]],
    ["is licensed by the supervisor", [plan, starts(0), resolved("retry"), again(0)], []],
    ["is not licensed by the word that it succeeded", [plan, starts(0), resolved("succeeded"), again(0)], ["once"]],
    ["is licensed for a check that was cut off", [plan, starts(0), ends(0), starts(1), starts(1)], []],
    [
      "is licensed for a step that may be repeated",
      [plan, starts(0, { repeatable: true }), starts(0, { repeatable: true })],
      [],
    ],
    ["calls a server of the scope", [pinned(mcpCall()), starts(0)], []],
    ["does not call another server", [pinned(mcpCall({ server: "gitserver" })), starts(0)], ["scope"]],
    ["does not follow a finding that blocks", [plan, blocks, starts(0)], ["blocked"]],
  ] as const)("%s", (_title, events, rules) => {
    expect(broken(...events)).toEqual(rules);
  });

  test("belongs to a chain that holds", () => {
    const journal = journalOf(accepted, plan, starts(0), ends(0));
    const [first, ...rest] = journal;
    expect(brokenPromises(first === undefined ? [] : [{ ...first, at: "2026-03-06T09:00:01.000Z" }, ...rest])).toEqual([
      "chain",
    ]);
    expect(brokenPromises(rest)).toEqual(["chain"]);
  });
});
