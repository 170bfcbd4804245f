// A version in use that is found wrong outside of orch, or that fails, is set back (D-294).
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

const GOOD = [cmd("echo x > good"), check("test -s good")];
const OTHER = [cmd("echo y > good"), check("test -s good")];

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

type Found = { readonly sop_id: string; readonly status: string; readonly promotion_round: number };

const sop = async (sop_id: string): Promise<Found> => (await engine.call("get_sop", { sop_id })).sop;
const run = (task_id: string, name: string) =>
  engine.run(task_id, { delegation_mode: "known_only", target: engine.targetOf(name) });
const found = (task_id: string, verified: boolean, note = "the page is empty") =>
  engine.call("record_verification", { task_id, verified, source: "the page", note });
const learned = (name: string, steps: readonly object[] = GOOD) => engine.learn("deploy", engine.targetOf(name), steps);

async function messagesOf(sop_id: string) {
  const { messages } = await engine.call("list_messages", { limit: 500 });
  return messages.filter(({ thread_id }: { thread_id: string }) => thread_id.startsWith(`promotion/${sop_id}`));
}

const settled = async (sop_id: string): Promise<Found> => {
  for (;;) {
    const now = await sop(sop_id);
    if (now.status !== "candidate") return now;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

describe("a version whose run was found wrong outside of orch", () => {
  test("is set back: a candidate on the thread of a new promotion, with its record in the approval", async () => {
    const { sop_id } = await learned("refuted");
    await run("refuted-1", "refuted");
    const view = await found("refuted-1", false);
    expect(await sop(sop_id)).toMatchObject({ status: "candidate", promotion_round: 2, record_since: null });
    const approval = await engine.approvalOf(`promotion/${sop_id}/2`);
    expect(approval).toMatchObject({
      kind: "promotion",
      reason: "Version 1 was set back (refuted: 0 of 1 verified) and asks to be used again.",
      content: {
        sop_id,
        steps: GOOD,
        replaces: null,
        set_back: {
          rule: "refuted",
          why: "refuted: 0 of 1 verified",
          holds: true,
          earlier: null,
          failures: [],
          record: { runs: 1, passed: 1, streak: 0, verified: 0, refuted: 1, since: null },
          refutations: [{ task_id: "refuted-1", verification: { source: "the page", note: "the page is empty" } }],
        },
      },
    });
    expect(view.next[0]).toMatchObject({
      text: expect.stringContaining("was set back"),
    });
    const [said] = (await messagesOf(sop_id)).filter(
      ({ outcome }: { outcome: { reason_code: string } }) => outcome.reason_code === "sop_set_back",
    );
    expect(said.outcome.message).toContain("was set back (refuted: 0 of 1 verified)");
    expect(said.outcome.next).toMatchObject([
      { operation: "get_evidence", arguments: { task_id: "refuted-1" } },
      { operation: "approve", arguments: { approval_id: approval.approval_id } },
      { operation: "list_approvals", arguments: { thread_id: `promotion/${sop_id}/2` } },
      { operation: "submit_task", arguments: { intent: "update_sop" } },
    ]);
    const next = await run("refuted-2", "refuted");
    expect(next.outcome).toMatchObject({
      reason_code: "sop_not_found",
      message: expect.stringContaining(
        `version 1 was set back (refuted: 0 of 1 verified) and waits for approval ${approval.approval_id}`,
      ),
    });
    await engine.call("approve", { approval_id: approval.approval_id, decision: "approve" });
    expect(await settled(sop_id)).toMatchObject({ status: "active", record_since: expect.any(String) });
    expect(await run("refuted-3", "refuted")).toMatchObject({ status: "ok", sop_id });
  });

  test("goes on in the tasks that are pinned to it", async () => {
    const { sop_id } = await learned("pinned", [engine.holding("pinned"), check("test -d /")]);
    engine.letGo("pinned");
    await run("pinned-1", "pinned");
    await rm(join(engine.directory, "pinned.go"));
    const running = run("pinned-2", "pinned");
    while (engine.linesOf("pinned.begun").length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await found("pinned-1", false);
    expect(await sop(sop_id)).toMatchObject({ status: "candidate" });
    engine.letGo("pinned");
    expect(await running).toMatchObject({ status: "ok", sop_id });
    expect(await sop(sop_id), "one success is no proof").toMatchObject({ status: "candidate", promotion_round: 2 });
  });

  test("gives way to an update_sop that is approved, and stays set back where one is rejected", async () => {
    const { sop_id } = await learned("updated");
    await run("updated-1", "updated");
    await found("updated-1", false);
    const { approval_id } = await engine.approvalOf(`promotion/${sop_id}/2`);
    const update = (task_id: string) =>
      engine.submit({
        task_id,
        intent: "update_sop",
        target: engine.targetOf("updated"),
        success_criteria: [],
        payload: { intent: "deploy", steps: OTHER },
      });
    expect(await update("updated-no")).toMatchObject({ status: "need_approval" });
    const refused = await engine.approvalOf("updated-no");
    expect(refused).toMatchObject({ content: { replaces: 1 } });
    await engine.call("approve", { approval_id: refused.approval_id, decision: "reject" });
    await engine.outcomeOf("updated-no");
    expect(await sop(sop_id)).toMatchObject({ status: "candidate", promotion_round: 2 });
    expect(await engine.approvalOf(`promotion/${sop_id}/2`)).toMatchObject({ approval_id });
    expect(await update("updated-yes")).toMatchObject({ status: "need_approval" });
    const wanted = await engine.approvalOf("updated-yes");
    await engine.call("approve", { approval_id: wanted.approval_id, decision: "approve" });
    expect(await engine.outcomeOf("updated-yes")).toMatchObject({ status: "ok" });
    expect(await sop(sop_id)).toMatchObject({ status: "deprecated" });
    expect(await engine.refusal("approve", { approval_id, decision: "approve" })).toMatchObject({
      code: "approval_not_pending",
      current: { status: "superseded" },
    });
  });

  test("is set back when a rejected update_sop has put it into use again", async () => {
    const { sop_id } = await learned("restored");
    await run("restored-1", "restored");
    await engine.submit({
      task_id: "restored-no",
      intent: "update_sop",
      target: engine.targetOf("restored"),
      success_criteria: [],
      payload: { intent: "deploy", steps: OTHER },
    });
    await found("restored-1", false);
    expect(await sop(sop_id), "it was set aside").toMatchObject({ status: "deprecated", promotion_round: 1 });
    const { approval_id } = await engine.approvalOf("restored-no");
    await engine.call("approve", { approval_id, decision: "reject" });
    await engine.outcomeOf("restored-no");
    await engine.scores.foldAll();
    await engine.approvalOf(`promotion/${sop_id}/2`);
    expect(await sop(sop_id)).toMatchObject({ status: "candidate", promotion_round: 2 });
  });
});
