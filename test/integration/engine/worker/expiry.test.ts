// An approval without a decision expires, also while orch is down. An expired approval counts as rejected.
import { expect, test } from "vitest";
import type { Approval } from "../../../../src/domain/approval.ts";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

const PAST = "2026-01-01T00:00:00.000Z";
const expire = ({ database }: Engine, expires_at = PAST) =>
  database.client.approval.updateMany({ data: { expires_at, row_sum: "" } });

test("approvals that expired while orch was down are rejected when it starts: plans, promotions and replacements", async () => {
  await using before = await openEngine();
  const steps = [cmd("echo x >> ran"), check("test -d /")];
  await before.learn("deploy", before.targetOf("plan"), steps, { safety_level: "approval_required" });
  await before.run("plan");
  await before.learn("deploy", before.targetOf("edit"), steps);
  const payload = { intent: "deploy", steps: [check("test -d /usr")] };
  await before.run("edit", { intent: "update_sop", payload });
  const { sop } = await before.call("teach", { intent: "restart", target: { service: "new" }, steps });
  await expire(before);
  await before.shutDown();

  await using after = await openEngine({ directory: before.directory });
  for (const name of ["plan", "edit"]) {
    await expect
      .poll(async () => (await after.outcomeOf(name)).outcome.reason_code, { timeout: 10_000 })
      .toBe("approval_expired");
    expect(await after.outcomeOf(name)).toMatchObject({ status: "blocked" });
  }
  const statusOf = async (sop_id: string) => (await after.call("get_sop", { sop_id })).sop.status;
  await expect.poll(() => statusOf(sop.sop_id), { timeout: 10_000 }).toBe("deprecated");
  const { sops } = await after.call("list_sops", { target_signature: `compose_dir=${after.directory};service=edit` });
  expect(sops).toMatchObject([
    { version: 2, status: "deprecated" },
    { version: 1, status: "active" },
  ]);
  const { approvals } = await after.call("list_approvals", {});
  const expired = approvals.filter(({ status }: Approval) => status === "expired");
  expect(expired.map(({ kind }: Approval) => kind).sort()).toEqual(["plan", "promotion", "replacement"]);
  expect(expired[0].decision).toEqual({ decision: "reject", reason: "expired", decided_by: null, token_id: null });
  expect(after.linesOf("ran")).toEqual([]);
});

test("a server whose clock is ahead of the database's lets approvals be decided until they expire by that", async () => {
  await using engine = await openEngine();
  await engine.learn("deploy", engine.targetOf("a"), [check("test -d /")], { safety_level: "approval_required" });
  await engine.run("a");
  await expire(engine, new Date(Date.now() - 60_000).toISOString());
  Object.assign(engine.database.servers, { aheadMs: () => 600_000 });
  await engine.call("approve", { task_id: "a", decision: "approve" });
  expect(await engine.outcomeOf("a")).toMatchObject({ status: "ok" });
});
