// A commit that the database has, and whose response is lost: the same call again continues what it committed, at once and
// without the reconciler, and nothing runs twice.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { faultyStore } from "../../../support/faulty-store.ts";
import { journalFindings } from "../../../support/journal-check.ts";

const KNOWN = { delegation_mode: "known_only" };
const UNUSABLE = { code: "database_unusable" };

const faults = faultyStore();
let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ faults });
  engine.looks.stop();
});
afterAll(() => engine[Symbol.asyncDispose]());
beforeEach(() => void faults.lost.splice(0));

const steps = (name: string) => [cmd(`echo x >> ${name}`), check("test -d /")];

/** The response to the first call is lost. After the second one the task goes on, and its one step runs once. */
async function repeat(name: string, operation: string, input: object): Promise<void> {
  expect(await engine.refusal(operation, input)).toMatchObject(UNUSABLE);
  await engine.call(operation, input);
  expect(await engine.outcomeOf(name)).toMatchObject({ status: "ok" });
  expect(engine.linesOf(name)).toEqual(["x"]);
  expect(journalFindings(await engine.store.readJournal(name))).toEqual([]);
}

describe("what a call has committed is continued by the same call of", () => {
  test("submit_task", async () => {
    await engine.learn("deploy", engine.targetOf("submitted"), steps("submitted"));
    faults.lose("submitted", "task_accepted");
    await repeat("submitted", "submit_task", engine.contract("submitted", KNOWN));
  });

  test("teach", async () => {
    await engine.run("taught");
    faults.lose("taught", "taught");
    await repeat("taught", "teach", { task_id: "taught", steps: steps("taught") });
  });

  test("teach, and another lesson is refused", async () => {
    const other = { task_id: "taught", steps: steps("other") };
    expect(await engine.refusal("teach", other)).toMatchObject({ code: "task_not_waiting" });
  });

  test("approve", async () => {
    await engine.learn("deploy", engine.targetOf("approved"), steps("approved"), { safety_level: "approval_required" });
    await engine.run("approved", KNOWN);
    const { approval_id } = await engine.approvalOf("approved");
    faults.lose("approved", "approval_decided");
    await repeat("approved", "approve", { approval_id, decision: "approve" });
  });

  test("resolve_step", async () => {
    await engine.learn("deploy", engine.targetOf("resolved"), steps("resolved"));
    faults.lose("resolved", "step_finished", "not_done");
    expect(await engine.run("resolved", KNOWN)).toMatchObject({ outcome: { reason_code: "step_outcome_unknown" } });
    faults.lose("resolved", "step_resolved");
    await repeat("resolved", "resolve_step", { task_id: "resolved", resolution: "succeeded" });
  });

  test("approve on a promotion", async () => {
    const { sop } = await engine.call("teach", {
      intent: "deploy",
      target: engine.targetOf("decided"),
      steps: steps("decided"),
    });
    const { approval_id } = await engine.approvalOf(`promotion/${sop.sop_id}`);
    faults.lose("promotion/", "approval_decided");
    const decision = { approval_id, decision: "approve" };
    expect(await engine.refusal("approve", decision)).toMatchObject(UNUSABLE);
    await engine.call("approve", decision);
    const status = async () => (await engine.call("get_sop", { sop_id: sop.sop_id })).sop.status;
    await expect.poll(status, { timeout: 10_000 }).toBe("active");
  });
});
