// One approval covers the whole plan. The supervisor decides it, and it is bound to exactly what runs.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FIRST_HASH, hashOfText } from "../../../../src/domain/journal.ts";
import { eventOf } from "../../../../src/store/rows.ts";
import { check, cmd, wait } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const ASKS = {
  safety_level: "approval_required",
  criteria: { "the page is served": 3 },
  preconditions: ["tell the team"],
};

/** An SOP that always needs an approval: two commands that each write a line, a wait and a check. */
async function asking(name: string) {
  const steps = [cmd(`echo 1 >> ${name}`), wait("1ms"), cmd(`echo 2 >> ${name}`), check(`test -s ${name}`)];
  const sop = await engine.learn("deploy", engine.targetOf(name), steps, ASKS);
  const task = await engine.run(name, { delegation_mode: "known_only" });
  return { sop, task, steps, approval: await engine.approvalOf(name) };
}

const decide = (approval_id: string, decision: string, over: object = {}) =>
  engine.call("approve", { approval_id, decision, ...over });

describe("a plan that needs an approval", () => {
  test("asks once, before its first step, with every step in full [2.safety_level.asks] [3.status.labels] [1.A.5.approval]", async () => {
    const { sop, task, steps, approval } = await asking("once");
    expect(task).toMatchObject({
      status: "need_approval",
      label: "NEED_APPROVAL",
      outcome: { reason_code: "approval_required", approval_id: approval.approval_id },
      waiting: { kind: "approval", approval_id: approval.approval_id },
    });
    expect(approval).toMatchObject({ kind: "plan", status: "pending", thread_id: "once" });
    expect(approval.content).toMatchObject({
      intent: "deploy",
      target_signature: sop.target_signature,
      sop_id: sop.sop_id,
      sop_version: 1,
      steps,
      criteria: [{ criterion: "the page is served", step_index: 3 }],
      safety_level: "approval_required",
      preconditions: ["tell the team"],
    });
    expect(approval.content.findings.map(({ step_index }: { step_index: number }) => step_index)).toEqual([0, 2]);
    const { approvals } = await engine.call("list_approvals", { thread_id: "once" });
    expect(approvals).toHaveLength(1);
    expect(engine.linesOf("once")).toEqual([]);
  });

  test("runs each step once when it is approved [4.approve] [5.approval.flow] [5.policy.approval]", async () => {
    const { approval } = await asking("approved");
    const over = { reason: "go", decided_by: "kim", digest: approval.digest };
    const decided = await decide(approval.approval_id, "approve", over);
    expect(decided).toMatchObject({
      status: "approved",
      decision: { decision: "approve", reason: "go", decided_by: "kim" },
    });
    expect(await engine.outcomeOf("approved")).toMatchObject({ status: "ok" });
    expect(engine.linesOf("approved")).toEqual(["1", "2"]);
  });

  test("is blocked with the human's reason when it is rejected, and no step runs [4.approve]", async () => {
    const { approval } = await asking("rejected");
    await decide(approval.approval_id, "reject", { reason: "not on a Friday" });
    const task = await engine.outcomeOf("rejected");
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_rejected" } });
    expect(task.outcome.message).toContain("not on a Friday");
    expect(engine.linesOf("rejected")).toEqual([]);
  });
});

describe("an approval covers exactly what was shown", () => {
  /** Gives a changed journal the hashes that orch would have given it. */
  const hashAgain = async (thread_id: string) => {
    const { journalEvent } = engine.database.client;
    let prev_hash = FIRST_HASH;
    for (const row of await journalEvent.findMany({ where: { thread_id }, orderBy: { seq: "asc" } })) {
      const hash = hashOfText({ ...eventOf(row), prev_hash }, row.body);
      await journalEvent.update({ where: { cursor: row.cursor }, data: { prev_hash, hash } });
      prev_hash = hash;
    }
  };
  /** Approves what was shown, after the database was changed without orch and its sums with it. */
  const changed = async (name: string, ...statements: string[]) => {
    const { approval } = await asking(name);
    for (const sql of statements) expect(await engine.database.client.$executeRawUnsafe(sql, name)).toBe(1);
    await hashAgain(name);
    await decide(approval.approval_id, "approve", { digest: approval.digest });
    return engine.outcomeOf(name);
  };
  const journalled = (kind: string, body: string) =>
    `UPDATE journal_event SET body = ${body} WHERE kind = '${kind}' AND thread_id = ?`;
  const evil = journalled("sop_pinned", "replace(body, 'echo 2', 'echo evil')");
  const unasked = journalled("policy_judged", `'{"findings":[]}'`);

  test.each([
    ["the steps", [evil]],
    ["the steps and all findings", [evil, unasked]],
    ["a finding", [journalled("policy_judged", "replace(body, 'safety.approval_required', 'category.matched')")]],
    ["the version", [journalled("sop_pinned", `replace(body, '"sop_version":1', '"sop_version":2')`)]],
    ["the safety level", [journalled("sop_pinned", "replace(body, 'approval_required', 'standard')"), unasked]],
  ])("no step runs when the journal no longer holds %s that were shown", async (what, statements) => {
    const name = `changed-${what.replaceAll(" ", "-")}`;
    const task = await changed(name, ...statements);
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_stale" } });
    expect(engine.linesOf(name)).toEqual([]);
  });

  test("a stored SOP that was changed meanwhile has no effect: the task keeps the steps that were shown", async () => {
    const sql =
      "UPDATE sop SET steps = replace(steps, 'echo 2', 'echo evil'), row_sum = '' WHERE target LIKE '%\"' || ? || '\"%'";
    expect(await changed("changed-sop", sql)).toMatchObject({ status: "ok" });
    expect(engine.linesOf("changed-sop")).toEqual(["1", "2"]);
  });
});
