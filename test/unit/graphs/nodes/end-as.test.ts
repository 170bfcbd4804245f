// The end of a task, in one commit: outcome, row, counters of its SOP, withdrawn approval, candidate.
import { describe, expect, test } from "vitest";
import { endAs } from "../../../../graphs/nodes/end-as.ts";
import type { Finding } from "../../../../src/domain/finding.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { outcome, reason } from "../../../../src/domain/outcome.ts";
import type { Verdict } from "../../../../src/domain/verification.ts";
import type { Store } from "../../../../src/ports.ts";
import { AT, aContract, check } from "../../../support/builders.ts";
import { PROCEDURE, pinning, pipelineParts, procedureOf, stateOf } from "../../../support/pipeline-parts.ts";
import { aSop } from "../../engine/tasks/a-sop.ts";
import { anApproval } from "../../engine/tasks/a-task.ts";

const VERIFIED: Verdict = {
  passed: true,
  reason_code: "verified",
  step_index: null,
  checks: [],
  uncovered_criteria: [],
};
const TAUGHT = procedureOf([check("true")], { sop_id: null, sop_version: null });
const STORED = String(PROCEDURE.sop_id);
const taught: NewEvent = { kind: "taught", body: TAUGHT };
const verdict = (over: Partial<Verdict> = {}): NewEvent => ({
  kind: "verdict_reached",
  body: { ...VERIFIED, ...over },
});
const DONE = reason("verified", "1 check passed.");
const FAILED = reason("step_failed", "Step 1 failed.", 1);

describe("an end", () => {
  test("is reported, and its row has the outcome, the pins and no lease", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), pinning());
    expect(await endAs(parts.deps, "failed")(stateOf({ contract, reason: FAILED }))).toEqual({});
    const ended = outcome("failed", "step_failed", "Step 1 failed.", { thread_id: "t-1", step_index: 1 });
    expect((await parts.store.readJournal("t-1")).at(-1)).toMatchObject({ kind: "reported", body: ended });
    expect(await parts.store.findTask("t-1")).toMatchObject({
      status: "failed",
      outcome: ended,
      owner: null,
      lease_expires_at: null,
      ended_at: AT,
      sop_id: PROCEDURE.sop_id,
      sop_version: 3,
    });
  });

  test.each(["ok", "failed", "blocked", "cancelled"] as const)("%s is written once", async (status) => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), pinning());
    await endAs(parts.deps, status)(stateOf({ contract, reason: DONE }));
    await endAs(parts.deps, "failed")(stateOf({ contract, reason: FAILED }));
    expect((await parts.kindsOf()).filter((kind) => kind === "reported")).toHaveLength(1);
    expect(await parts.store.findTask("t-1")).toMatchObject({ status });
  });

  test.each([
    ["a stored SOP", pinning(), ["get_evidence", "submit_task", "submit_task"]],
    ["steps that were taught", taught, ["get_evidence", "submit_task"]],
  ])("after %s offers to replace an SOP only where there is one", async (_what, procedure, operations) => {
    const parts = pipelineParts();
    await parts.write("s", [], [{ on: "sop_created", sop: aSop({ sop_id: STORED, version: 3 }) }]);
    const contract = await parts.begin(aContract(), procedure, verdict({ passed: false, reason_code: "step_failed" }));
    await endAs(parts.deps, "failed")(stateOf({ contract, reason: FAILED }));
    const { next } = (await parts.store.findTask("t-1"))?.outcome ?? {};
    expect(next).toHaveLength(operations.length);
    expect(next).toMatchObject(operations.map((operation) => ({ operation })));
  });

  test("needs a reason", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), pinning());
    await expect(endAs(parts.deps, "blocked")(stateOf({ contract }))).rejects.toThrow(
      "reached blocked without a reason",
    );
  });

  test("blocked names the findings that block, any other end names none", async () => {
    const found = (verdict: Finding["verdict"], code: Finding["code"]): Finding => ({
      step_index: 0,
      verdict,
      code,
      reason: "r",
      command: null,
      category: null,
    });
    const findings = [found("block", "scope.server"), found("ask", "safety.approval_required")];
    for (const [status, named] of [["blocked", [findings[0]]] as const, ["failed", []] as const]) {
      const parts = pipelineParts();
      const contract = await parts.begin(aContract(), pinning(), { kind: "policy_judged", body: { findings } });
      await endAs(parts.deps, status)(stateOf({ contract, reason: FAILED }));
      expect((await parts.store.findTask("t-1"))?.outcome?.findings).toEqual(named);
    }
  });

  test("withdraws the open approval", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), pinning(), {
      kind: "approval_requested",
      body: { approval_id: "a-1", kind: "plan", digest: "d" },
    });
    await parts.write("t-1", [], [{ on: "approval_created", approval: anApproval() }]);
    await endAs(parts.deps, "cancelled")(stateOf({ contract, reason: reason("cancelled", "It was cancelled.") }));
    expect(await parts.store.findApproval("a-1")).toMatchObject({ status: "superseded" });
  });

  test("fails when another writer has moved the task", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), pinning());
    const set = { status: "need_input" } as const;
    await parts.write("t-1", [], [{ on: "task", task_id: "t-1", expect: { status: ["running"] }, set }]);
    await expect(endAs(parts.deps, "ok")(stateOf({ contract, reason: DONE }))).rejects.toThrow(
      "task t-1 could not end: task changed",
    );
  });
});

describe("what the checks are worth", () => {
  const proof = { class: "proved", seen_red: ["before" as const], change: "became_true", reason: null } as const;
  const checks = [
    { step_index: 1, criterion: null, passed: true, exit_code: 0, proof: { ...proof, seen_red: [...proof.seen_red] } },
  ];

  test.each<[string, Partial<Verdict>, object | undefined]>([
    ["is part of an outcome that passed", { checks }, { checks: 1, proved: 1, became_true: 1 }],
    ["is left out of one that failed", { checks, passed: false, reason_code: "check_failed" }, undefined],
    ["is left out where nothing was examined", {}, undefined],
  ])("%s", async (_, over, summary) => {
    const parts = pipelineParts();
    await parts.write("s", [], [{ on: "sop_created", sop: aSop() }]);
    const contract = await parts.begin(aContract(), pinning(), verdict(over));
    await endAs(parts.deps, over.passed === false ? "failed" : "ok")(stateOf({ contract, reason: DONE }));
    const { outcome: ended } = (await parts.store.findTask("t-1")) ?? {};
    if (summary === undefined) expect(ended).not.toHaveProperty("proof");
    else expect(ended).toMatchObject({ proof: summary });
  });
});

describe("what a taught task has proved", () => {
  const versions = ({ store }: ReturnType<typeof pipelineParts>) => store.listSops({ limit: 9 });

  test("becomes a candidate in the commit of its end", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), taught, verdict());
    await endAs(parts.deps, "ok")(stateOf({ contract, reason: DONE }));
    const [candidate] = await versions(parts);
    expect(candidate).toMatchObject({
      status: "candidate",
      version: 1,
      intent: "deploy",
      origin: "t-1",
      success_count: 1,
      last_success_at: AT,
      target: contract.target,
      target_signature: "environment=prod;service=web",
      steps: TAUGHT.steps,
    });
    const [changed, reported] = (await parts.store.readJournal("t-1")).slice(-2);
    const body = { sop_id: candidate?.sop_id, version: 1, status: "candidate", why: "proved by task t-1" };
    expect([changed, reported]).toMatchObject([{ kind: "sop_changed", body }, { kind: "reported" }]);
  });

  test("becomes none where nothing was run, and no counter moves", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), taught, verdict({ reason_code: "already_done" }));
    await endAs(parts.deps, "ok")(stateOf({ contract, reason: reason("already_done", "Already done.") }));
    expect(await versions(parts)).toEqual([]);
    expect(await parts.store.findTask("t-1")).toMatchObject({ status: "ok", sop_id: null });
  });

  test("becomes none when the task does not end ok, or runs a stored SOP, or has no procedure", async () => {
    const ends = [
      ["failed", [taught]],
      ["ok", [pinning()]],
      ["ok", []],
    ] as const;
    for (const [status, events] of ends) {
      const parts = pipelineParts();
      const contract = await parts.begin(aContract(), ...events);
      await endAs(parts.deps, status)(stateOf({ contract, reason: DONE }));
      expect(await versions(parts)).toEqual([]);
    }
  });

  test("takes the next number when another task has stored a version in between", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), taught, verdict());
    let races = 1;
    const listSops: Store["listSops"] = async (query) => {
      const known = await parts.store.listSops(query);
      if (races-- > 0) await parts.write("s", [], [{ on: "sop_created", sop: aSop({ version: 1 }) }]);
      return known;
    };
    const deps = { ...parts.deps, store: { ...parts.store, listSops } };
    await endAs(deps, "ok")(stateOf({ contract, reason: DONE }));
    expect((await versions(parts)).map(({ version }) => version).sort()).toEqual([1, 2]);
  });
});
