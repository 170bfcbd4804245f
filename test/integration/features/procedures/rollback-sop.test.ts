// A new version with the steps of an earlier one (D-293).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

const OLD = [cmd("echo old > page"), check("test -s page")];
const NEW = [cmd("echo new > page"), check("test -s page")];

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const sop = async (sop_id: string) => (await engine.call("get_sop", { sop_id })).sop;
const run = (task_id: string, name: string) =>
  engine.run(task_id, { delegation_mode: "known_only", target: engine.targetOf(name) });

/** Two versions that were in use one after the other. */
async function twoVersions(name: string) {
  const older = await engine.learn("deploy", engine.targetOf(name), OLD, { criteria: { "it is served": 1 } });
  await run(`${name}-1`, name);
  const newer = await engine.learn("deploy", engine.targetOf(name), NEW);
  return { older, newer };
}

async function decided(sop_id: string, decision: "approve" | "reject") {
  const { approval_id } = await engine.approvalOf(`promotion/${sop_id}`);
  await engine.call("approve", { approval_id, decision });
  return sop(sop_id);
}

describe("rollback_sop", () => {
  test("stores a new version with the steps of the earlier one, which is used once it is approved", async () => {
    const { older, newer } = await twoVersions("back");
    const answer = await engine.call("rollback_sop", { sop_id: older.sop_id });
    expect(answer.sop).toMatchObject({
      version: 3,
      status: "candidate",
      steps: OLD,
      origin: `rollback_sop ${older.sop_id}`,
      trial_left: 0,
      criteria: [{ criterion: "it is served", step_index: 1 }],
    });
    const rollback = {
      to: { sop_id: older.sop_id, version: 1 },
      from: { sop_id: newer.sop_id, version: 2 },
      diff: [
        { is: "removed", step_index: 0, step: "cmd echo new > page" },
        { is: "added", step_index: 0, step: "cmd echo old > page" },
      ],
    };
    expect(answer.rollback).toMatchObject(rollback);
    const approval = await engine.approvalOf(`promotion/${answer.sop.sop_id}`);
    expect(approval).toMatchObject({
      approval_id: answer.approval_id,
      kind: "promotion",
      content: { rollback, replaces: 2 },
      reason:
        "Version 3 asks for its promotion, with the steps of version 1; it would replace version 2, which is in use.",
    });
    expect((await sop(newer.sop_id)).status, "nothing has changed yet").toBe("active");
    expect(await decided(answer.sop.sop_id, "approve")).toMatchObject({ status: "active" });
    expect((await sop(newer.sop_id)).status).toBe("deprecated");
    await run("back-2", "back");
    expect(engine.linesOf("page")).toEqual(["old"]);
  });

  test("shows the human how the earlier version has run", async () => {
    const { older } = await twoVersions("record");
    await engine.call("record_verification", { task_id: "record-1", verified: true, source: "the page" });
    const { rollback } = await engine.call("rollback_sop", { sop_id: older.sop_id });
    expect(rollback.record).toEqual({ since: null, runs: 1, passed: 1, streak: 0, verified: 1, refuted: 0 });
  });

  test("goes back from a version that was set back, which its approval deprecates", async () => {
    const { older, newer } = await twoVersions("lost");
    await run("lost-2", "lost");
    await engine.call("record_verification", { task_id: "lost-2", verified: false, source: "the page" });
    const { content } = await engine.approvalOf(`promotion/${newer.sop_id}/2`);
    expect(content.set_back.earlier).toEqual({ sop_id: older.sop_id, version: 1 });
    const answer = await engine.call("rollback_sop", { sop_id: older.sop_id });
    expect(answer.rollback).toMatchObject({ from: { sop_id: newer.sop_id, version: 2 }, diff: [{}, {}] });
    await decided(answer.sop.sop_id, "approve");
    expect(await sop(newer.sop_id)).toMatchObject({ status: "deprecated", promotion_round: 2 });
    expect(await run("lost-3", "lost")).toMatchObject({ status: "ok", sop_version: 3 });
  });

  test("changes nothing when its approval is rejected", async () => {
    const { older, newer } = await twoVersions("no");
    const answer = await engine.call("rollback_sop", { sop_id: older.sop_id });
    expect(await decided(answer.sop.sop_id, "reject")).toMatchObject({ status: "deprecated" });
    expect((await sop(newer.sop_id)).status).toBe("active");
  });

  test("is refused for a version in use, a candidate, one that was never in use, and steps that wait already", async () => {
    const { older, newer } = await twoVersions("refused");
    const target = engine.targetOf("refused");
    const steps = [cmd("echo x > page"), check("test -s page")];
    const never = await engine.call("teach", { intent: "deploy", target, steps });
    const refusal = (sop_id: string) => engine.refusal("rollback_sop", { sop_id });
    expect(await refusal(newer.sop_id)).toMatchObject({
      code: "sop_conflict",
      issues: [{ path: "sop_id", message: expect.stringContaining("version 2 is in use") }],
    });
    expect((await refusal(never.sop.sop_id)).message).toContain("version 3 waits for its approval");
    await decided(never.sop.sop_id, "reject");
    expect((await refusal(never.sop.sop_id)).message).toContain("version 3 was never in use");
    await engine.call("rollback_sop", { sop_id: older.sop_id });
    expect((await refusal(older.sop_id)).message).toContain("version 4 has the steps of version 1 and waits");
    expect(await refusal("00000000-0000-4000-8000-00000000ffff")).toMatchObject({ code: "sop_not_found" });
  });
});
