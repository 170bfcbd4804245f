// update_sop step by step, and every way in which it ends without a replacement.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Step } from "../../../../src/domain/step.ts";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const versionsOf = async (name: string): Promise<[number, string][]> => {
  const { sops } = await engine.call("list_sops", { intent: "deploy", limit: 500 });
  const own = sops.filter(({ target }: { target: { service: string } }) => target.service === name);
  return own.map(({ version, status }: { version: number; status: string }) => [version, status]);
};
const runsAs = async (name: string, nth: number) => {
  const task = await engine.run(`${name}-run-${nth}`, { delegation_mode: "known_only", target: engine.targetOf(name) });
  return task.outcome.reason_code;
};
const update = (name: string, steps: readonly Step[], over: object = {}) => {
  const payload = { intent: "deploy", steps, ...over };
  return engine.run(`${name}-update`, { intent: "update_sop", target: engine.targetOf(name), payload });
};
const answer = async (name: string, decision: "approve" | "reject") => {
  await engine.call("approve", { task_id: `${name}-update`, decision, reason: "as said" });
  return engine.outcomeOf(`${name}-update`);
};

/** An active version 1 that appends the line `old`, and a pending replacement that appends `new`. */
async function requested(name: string) {
  await engine.learn("deploy", engine.targetOf(name), [cmd(`echo old >> ${name}`), check("test -d /")], {
    criteria: { "it works": 1 },
  });
  return update(name, [cmd(`echo new >> ${name}`), check("test -d /")]);
}

describe("update_sop", () => {
  test("deprecates the current SOP, creates a candidate and asks for its promotion [3.update.1] [3.update.2] [3.update.3] [3.update.4] [3.sop.deprecate]", async () => {
    const task = await requested("asked");
    expect(task).toMatchObject({
      status: "need_approval",
      label: "NEED_APPROVAL",
      outcome: { reason_code: "replacement_pending" },
    });
    expect(await versionsOf("asked")).toEqual([
      [2, "candidate"],
      [1, "deprecated"],
    ]);
    const approval = await engine.approvalOf("asked-update");
    expect(approval).toMatchObject({ kind: "replacement", content: { intent: "deploy", sop_version: 2 } });
    expect(approval.content.steps[0]).toEqual(cmd("echo new >> asked"));
    expect(approval.content.criteria, "it has to prove what the old one proved").toEqual([
      { criterion: "it works", step_index: 1 },
    ]);
    expect(await runsAs("asked", 1), "until the decision there is none").toBe("sop_not_found");
  });

  test("makes the candidate the active SOP when it is approved [3.update.5] [3.update.6] [7.10.wrong] [7.10.ambiguous] [7.10.outdated]", async () => {
    await requested("approved");
    const task = await answer("approved", "approve");
    expect(task).toMatchObject({ status: "ok", label: "DONE", outcome: { reason_code: "sop_replaced" } });
    expect(await versionsOf("approved")).toEqual([
      [2, "active"],
      [1, "deprecated"],
    ]);
    expect(await runsAs("approved", 1), "its first run is on trial").toBe("approval_required");
    await engine.call("approve", { task_id: "approved-run-1", decision: "approve" });
    expect(await engine.outcomeOf("approved-run-1")).toMatchObject({ outcome: { reason_code: "verified" } });
    expect(engine.linesOf("approved")).toEqual(["new"]);
  });

  test("restores the working version when it is rejected, and the task is blocked [3.update_rejected]", async () => {
    await requested("rejected");
    const task = await answer("rejected", "reject");
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_rejected" } });
    expect(task.outcome.message).toContain("as said");
    expect(await versionsOf("rejected")).toEqual([
      [2, "deprecated"],
      [1, "active"],
    ]);
    expect(await runsAs("rejected", 1)).toBe("verified");
    expect(engine.linesOf("rejected")).toEqual(["old"]);
  });

  test("restores the working version when the task is cancelled after its approval, while it is queued", async () => {
    const target = engine.targetOf("answered");
    await engine.learn("deploy", target, [check("test -d /")]);
    await engine.learn("restart", target, [engine.holding("holder"), check("test -d /")]);
    const payload = { intent: "deploy", steps: [check("test -d /usr")] };
    await engine.run("answered", { intent: "update_sop", payload });
    const holder = engine.run("holder", { intent: "restart", target });
    await engine.begun("holder");
    const { approval_id } = await engine.approvalOf("answered");
    await engine.call("approve", { approval_id, decision: "approve" });
    expect(await engine.call("cancel_task", { task_id: "answered" })).toMatchObject({ status: "cancelled" });
    engine.letGo("holder");
    expect(await holder).toMatchObject({ status: "ok" });
    const key = { intent: "deploy", target_signature: `compose_dir=${engine.directory};service=answered` };
    expect((await engine.call("list_sops", key)).sops).toMatchObject([
      { version: 2, status: "deprecated" },
      { version: 1, status: "active" },
    ]);
  });

  test("restores the working version when the task is cancelled", async () => {
    await requested("cancelled");
    const { approval_id } = await engine.approvalOf("cancelled-update");
    const task = await engine.call("cancel_task", { task_id: "cancelled-update" });
    expect(task).toMatchObject({ status: "cancelled" });
    expect(await versionsOf("cancelled")).toEqual([
      [2, "deprecated"],
      [1, "active"],
    ]);
    const { approvals } = await engine.call("list_approvals", { thread_id: "cancelled-update" });
    expect(approvals).toMatchObject([{ approval_id, status: "superseded" }]);
    expect(await runsAs("cancelled", 1)).toBe("verified");
  });

  test("replaces the SOP of another target when the payload names one, and uses the payload's map of criteria", async () => {
    const target = engine.targetOf("elsewhere");
    await engine.learn("deploy", target, [check("test -d /")], { criteria: { "it works": 0 } });
    const steps = [check("test -d /usr"), check("test -d /tmp")];
    const payload = { intent: "deploy", target, steps, criteria: { "it works": 1 } };
    await engine.run("elsewhere-update", { intent: "update_sop", target: {}, payload });
    const { content } = await engine.approvalOf("elsewhere-update");
    expect(content.criteria).toEqual([{ criterion: "it works", step_index: 1 }]);
    await answer("elsewhere", "approve");
    expect(await versionsOf("elsewhere")).toEqual([
      [2, "active"],
      [1, "deprecated"],
    ]);
  });
});
