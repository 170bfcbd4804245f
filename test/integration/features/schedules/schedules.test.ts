// Schedules beside what else a contract and a procedure may have: a check from outside, a version that was set back.
import { afterAll, beforeAll, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

let engine: Engine;
let now = Date.parse("2026-11-26T20:00:00.000Z");
beforeAll(async () => {
  engine = await openEngine({ clock: () => new Date(now) });
});
afterAll(() => engine[Symbol.asyncDispose]());

const scheduled = (name: string, more: Record<string, unknown> = {}) => {
  const { task_id: _task_id, requested_at: _at, ...contract } = engine.contract(name, more);
  return { name, contract, every: "10s" };
};

test("what no contract may say is refused when the schedule is added, by its field", async () => {
  const { issues } = await engine.refusal("add_schedule", scheduled("again", { verify_by: "sop:deploy" }));
  expect(issues).toMatchObject([{ path: "contract.verify_by" }]);
});

test("a due time at which the procedure is set back is a message and no task that waits to be taught", async () => {
  const target = engine.targetOf("refuted");
  await engine.learn("deploy", target, [cmd("echo x >> refuted"), check("test -s refuted")]);
  await engine.run("refuted-1", { delegation_mode: "known_only", target });
  await engine.call("add_schedule", scheduled("refuted", { target }));
  await engine.call("record_verification", { task_id: "refuted-1", verified: false, source: "the page" });
  now += 11_000;
  await engine.armFeatures();
  const { schedule } = await engine.call("get_schedule", { name: "refuted" });
  expect(schedule).toMatchObject({
    runs: 0,
    fault: expect.stringContaining("was set back, and waits for its approval"),
  });

  const { approvals } = await engine.call("list_approvals", { status: "pending" });
  await engine.call("approve", { approval_id: approvals[0].approval_id, decision: "approve" });
  await expect.poll(async () => (await engine.call("list_sops", { status: "active" })).sops).toHaveLength(1);
  now += 10_000;
  await engine.armFeatures();
  await expect.poll(async () => (await engine.call("get_schedule", { name: "refuted" })).schedule.runs).toBe(1);
  const { last_task_id } = (await engine.call("get_schedule", { name: "refuted" })).schedule;
  expect(await engine.outcomeOf(last_task_id)).toMatchObject({ status: "ok" });
});
