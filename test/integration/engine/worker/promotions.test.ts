// A promotion survives a stop at every place where it can be cut off.
import { expect, test } from "vitest";
import { check } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

const STEPS = [check("test -d /")];
const statusOf = async (engine: Engine, sop_id: string) => (await engine.call("get_sop", { sop_id })).sop.status;
const approvalsOf = async (engine: Engine, sop_id: string) =>
  (await engine.call("list_approvals", { thread_id: `promotion/${sop_id}` })).approvals;

test("a candidate that was recorded and never asked for is asked for at the next start", async () => {
  await using before = await openEngine();
  const { sop_id } = await before.plant("deploy", { service: "web" }, STEPS, { status: "candidate" });
  await before.shutDown();
  await using after = await openEngine({ directory: before.directory });
  const { approval_id } = await after.approvalOf(`promotion/${sop_id}`);
  await after.call("approve", { approval_id, decision: "approve" });
  await expect.poll(() => statusOf(after, sop_id), { timeout: 10_000 }).toBe("active");
});

test("several that a server leaves at its end do not keep it from ending, and are asked for at the next start", async () => {
  await using before = await openEngine();
  const names = ["web", "db", "mail", "dns", "nas"];
  await before.dispatcher.leave();
  const planted = await Promise.all(
    names.map((service) => before.plant("deploy", { service }, STEPS, { status: "candidate" })),
  );
  await before.promotions.reconcile();
  await before.shutDown();
  await using after = await openEngine({ directory: before.directory });
  for (const { sop_id } of planted) await after.approvalOf(`promotion/${sop_id}`);
});

test("one that waits goes on waiting, with the approval that was asked for", async () => {
  await using before = await openEngine();
  const { sop, approval_id } = await before.call("teach", { intent: "deploy", target: {}, steps: STEPS });
  await before.shutDown();
  await using after = await openEngine({ directory: before.directory });
  expect(await approvalsOf(after, sop.sop_id)).toMatchObject([{ approval_id, status: "pending" }]);
  await after.call("approve", { approval_id, decision: "approve" });
  await expect.poll(() => statusOf(after, sop.sop_id), { timeout: 10_000 }).toBe("active");
});

test("one whose question cannot be answered yet is recovered, and asks with the same approval", async () => {
  await using before = await openEngine();
  const { sop, approval_id } = await before.call("teach", { intent: "deploy", target: {}, steps: STEPS });
  await before.database.client.approval.update({ where: { approval_id }, data: { interrupt_id: null, row_sum: "" } });
  await before.shutDown();
  await using after = await openEngine({ directory: before.directory });
  expect(await after.approvalOf(`promotion/${sop.sop_id}`)).toMatchObject({ approval_id });
  await after.call("approve", { approval_id, decision: "approve" });
  await expect.poll(() => statusOf(after, sop.sop_id), { timeout: 10_000 }).toBe("active");
});

test.each(["approve", "reject"])("a decision to %s that was not carried out yet is carried out", async (decision) => {
  await using before = await openEngine();
  const { sop, approval_id } = await before.call("teach", { intent: "deploy", target: {}, steps: STEPS });
  const thread_id = `promotion/${sop.sop_id}`;
  const status = decision === "approve" ? ("approved" as const) : ("rejected" as const);
  const body = { decision: decision as "approve" | "reject", reason: null, decided_by: "kim", token_id: null };
  await before.store.commit({
    thread_id,
    after: "last",
    events: [{ kind: "approval_decided", body: { ...body, approval_id, status } }],
    changes: [{ on: "approval", approval_id, set: { status, decision: body } }],
  });
  await before.shutDown();
  await using after = await openEngine({ directory: before.directory });
  await expect
    .poll(() => statusOf(after, sop.sop_id), { timeout: 10_000 })
    .toBe(decision === "approve" ? "active" : "deprecated");
  expect(await approvalsOf(after, sop.sop_id)).toHaveLength(1);
});
