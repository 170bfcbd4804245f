// What is left of a plan runs only where it is what was approved.
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../graphs/nodes/run-steps.ts";
import { approvalDigest } from "../../../../src/domain/approval.ts";
import type { Finding } from "../../../../src/domain/finding.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { Procedure, Sop } from "../../../../src/domain/sop.ts";
import type { JudgedPlan } from "../../../../src/engine/policy/judge-plan.ts";
import { judged, planContent } from "../../../../src/engine/tasks/plan.ts";
import type { Judge } from "../../../../src/ports.ts";
import { aContract, aResult, check } from "../../../support/builders.ts";
import { judgeHere } from "../../../support/judge-here.ts";
import {
  type PipelineParts,
  PROCEDURE,
  pinning,
  pipelineParts,
  procedureOf,
  stateOf,
} from "../../../support/pipeline-parts.ts";
import { aSop } from "../../engine/tasks/a-sop.ts";
import { APPROVED } from "../../engine/tasks/a-task.ts";

const ASKING = procedureOf(PROCEDURE.steps, { safety_level: "approval_required" });
const UNAPPROVED = {
  execution: "unapproved",
  reason: {
    reason_code: "approval_stale",
    message: "What would run now is not what was approved.",
    step_index: null,
  },
};
const found = (findings: readonly Finding[]): NewEvent => ({
  kind: "policy_judged",
  body: { findings: [...findings] },
});
const ran = ({ requests }: PipelineParts) => requests.map(({ steps, first_index }) => [first_index, steps.length]);

describe("an approval", () => {
  type Asking = {
    readonly procedure?: Procedure;
    readonly extra?: Finding[];
    readonly judge?: Judge;
    /** Of the version that the plan is, in the store; without it the version is not there any more. */
    readonly status?: Sop["status"];
  };

  /** A plan that asks, with the events that follow its judgement. */
  async function asked(
    events: (digest: string, findings: readonly Finding[]) => readonly NewEvent[],
    { procedure = ASKING, extra = [], judge, status }: Asking = {},
  ) {
    const parts = pipelineParts({ over: judge === undefined ? {} : { judge } });
    if (status !== undefined) await parts.write("s", [], [{ on: "sop_created", sop: aSop({ status }) }]);
    const contract = await parts.begin(aContract(), pinning(procedure));
    const { findings: fresh } = await judged(parts.deps, contract, (await parts.journalOf()).projection);
    const findings = [...fresh, ...extra];
    const digest = approvalDigest(planContent(contract, (await parts.journalOf()).projection, findings));
    parts.threads.close("t-1");
    await parts.write("t-1", [found(findings), ...events(digest, findings)]);
    return { parts, facts: await runSteps(parts.deps)(stateOf({ contract })) };
  }
  const request = (approval_id: string, digest: string): NewEvent => ({
    kind: "approval_requested",
    body: { approval_id, kind: "plan", digest },
  });
  const decided = (approval_id: string, decision: "approve" | "reject" = "approve"): NewEvent => ({
    kind: "approval_decided",
    body: { ...APPROVED, approval_id, decision, status: decision === "approve" ? "approved" : "rejected" },
  });
  const category = (over: Partial<Finding> = {}): Finding => ({
    step_index: 0,
    verdict: "ask",
    code: "category.matched",
    reason: "r",
    command: "touch x",
    category: "c",
    ...over,
  });

  /** Judges as `judgeHere`; the time has cut off its judgements of these numbers. */
  function slowJudge(...slow: number[]): Judge {
    let nth = 0;
    const cut = { ...category({ code: "cap.time", category: null }), command: null };
    return async (judgement, ...given) => {
      const judged = await judgeHere(judgement, ...given);
      nth += 1;
      if (slow.includes(nth)) (judged as JudgedPlan).findings.push(cut);
      return judged;
    };
  }

  test.each([
    ["was cut off when it was asked for", [1]],
    ["is cut off when it is compared", [2]],
    ["is cut off again and again then", [2, 3, 4]],
    ["was cut off always", [1, 2]],
  ])("lets its plan run where the judgement %s", async (_when, slow) => {
    const approved = (digest: string) => [request("a-1", digest), decided("a-1")];
    const { facts } = await asked(approved, { judge: slowJudge(...slow) });
    expect(facts).toEqual({ execution: "completed" });
  });

  test("lets exactly its plan run", async () => {
    const { parts, facts } = await asked((digest) => [request("a-1", digest), decided("a-1")]);
    expect(facts).toEqual({ execution: "completed" });
    expect(ran(parts)).toEqual([[0, 2]]);
  });

  test("counts with the findings of the routing model", async () => {
    const { facts } = await asked((digest) => [request("a-1", digest), decided("a-1")], { extra: [category()] });
    expect(facts).toEqual({ execution: "completed" });
  });

  test("counts also where another one was asked for before or after it", async () => {
    const others = asked((digest) => [
      ...[request("a-0", "other"), request("a-1", digest), request("a-2", "another"), decided("a-1")],
    ]);
    expect((await others).facts).toEqual({ execution: "completed" });
  });

  test.each<[string, (digest: string) => NewEvent[]]>([
    ["is missing", () => []],
    ["is not decided", (digest) => [request("a-1", digest)]],
    ["was rejected", (digest) => [request("a-1", digest), decided("a-1", "reject")]],
    ["is of another content", () => [request("a-1", "other"), decided("a-1")]],
    ["is of another request", (digest) => [request("a-1", digest), request("a-2", "other"), decided("a-2")]],
  ])("that %s lets nothing run", async (_what, events) => {
    const { parts, facts } = await asked(events);
    expect(facts).toEqual(UNAPPROVED);
    expect(parts.requests).toEqual([]);
  });

  test("is demanded where one was asked for, although nothing was found", async () => {
    const { facts } = await asked((digest) => [request("a-1", digest)], { procedure: PROCEDURE });
    expect(facts).toEqual(UNAPPROVED);
  });

  test("that covers findings which the rules do not make now lets nothing run", async () => {
    const outdated = category({ code: "read_only.unknown_effect", category: null });
    const { facts } = await asked((digest) => [request("a-1", digest), decided("a-1")], { extra: [outdated] });
    expect(facts).toEqual(UNAPPROVED);
  });

  describe("the approval of a version on trial", () => {
    const ON_TRIAL = procedureOf([check("test -e y"), ...PROCEDURE.steps], { on_trial: true });
    const started: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1 } };
    const passed: NewEvent = { kind: "step_finished", body: aResult({ kind: "check" }) };
    const tried = (procedure: Procedure, status: Sop["status"] | undefined, ...events: NewEvent[]) =>
      asked((digest) => [request("a-1", digest), decided("a-1"), ...events], {
        procedure,
        ...(status !== undefined && { status }),
      });

    test.each<[string, Sop["status"] | undefined]>([
      ["is deprecated", "deprecated"],
      ["is not there any more", undefined],
    ])("lets nothing begin when the version %s meanwhile", async (_what, status) => {
      const { parts, facts } = await tried(ON_TRIAL, status);
      const message = "The version on trial that was approved is not in use any more.";
      const reason = { reason_code: "approval_stale", message, step_index: null };
      expect([facts, parts.requests]).toEqual([{ execution: "unapproved", reason }, []]);
    });

    test.each<[string, Sop["status"], Procedure, readonly NewEvent[]]>([
      ["begin while the version is in use", "active", ON_TRIAL, []],
      ["go on after its first step has begun", "deprecated", ON_TRIAL, [started]],
      ["go on after its first step", "deprecated", ON_TRIAL, [started, passed]],
      ["begin where the version is not on trial", "deprecated", ASKING, []],
    ])("lets its plan %s", async (_what, status, procedure, events) => {
      expect((await tried(procedure, status, ...events)).facts).toEqual({ execution: "completed" });
    });
  });
});
