// A version in use that is found wrong outside of orch, or that fails, is set back (D-302).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../support/builders.ts";
import { type Engine, openEngine } from "../../support/engine.ts";

const GOOD = [cmd("echo x > good"), check("test -s good")];
const BAD = [cmd("echo x > bad"), check("test -s missing")];

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
      ...{ kind: "promotion", reason: "Version 1 was set back (refuted: 0 of 1 verified) and asks to be used again." },
      content: {
        ...{ sop_id, steps: GOOD, replaces: null },
        set_back: {
          ...{ rule: "refuted", why: "refuted: 0 of 1 verified", holds: true, earlier: null, failures: [] },
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
});
