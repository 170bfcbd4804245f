// approve: which approval it decides, which decision counts, and what a late decision receives.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());
afterEach(async () => {
  const { approvals } = await engine.call("list_approvals", { status: "pending" });
  for (const { approval_id } of approvals) await engine.call("approve", { approval_id, decision: "reject" });
});

/** A task that waits for the approval of a command, which appends a line. */
async function waiting(name: string) {
  await engine.learn("deploy", engine.targetOf(name), [cmd(`echo x >> ${name}`), check("test -d /")], {
    safety_level: "approval_required",
  });
  await engine.run(name, { delegation_mode: "known_only" });
  return engine.approvalOf(name);
}
const approve = (over: object = {}) => engine.call("approve", { decision: "approve", ...over });
const refusal = (over: object = {}) => engine.refusal("approve", { decision: "approve", ...over });

describe("without an id", () => {
  test.each([["no name"], ["the digest alone"]])(
    "approve with %s decides nothing, and lists the only one",
    async (by) => {
      const { approval_id, thread_id, kind, reason, digest } = await waiting(`only-${by.replaceAll(" ", "-")}`);
      const refused = await refusal(by === "no name" ? {} : { digest });
      expect(refused).toMatchObject({
        code: "approval_ambiguous",
        message: "The decision does not name its approval, and one is pending.",
        fix: "Give the approval_id that the human has seen, or the task_id of the task that waits.",
        current: [{ approval_id, thread_id, kind, reason }],
      });
      expect(await engine.outcomeOf(thread_id)).toMatchObject({ status: "need_approval" });
    },
  );

  test("approve decides what the named task waits for", async () => {
    const { approval_id } = await waiting("by-task");
    expect(await approve({ task_id: "by-task", wait_seconds: 30 })).toMatchObject({
      approval_id,
      status: "approved",
      task: { status: "ok" },
    });
  });

  test("the list of what is pending is bounded", async () => {
    for (let nth = 0; nth < 22; nth += 1) await waiting(`many-${nth}`);
    expect((await refusal()).current).toHaveLength(20);
  });

  test("approve lists several pending approvals and decides none", async () => {
    const [one, two] = [await waiting("several-1"), await waiting("several-2")];
    const { code, current } = await refusal();
    expect(code).toBe("approval_ambiguous");
    expect(current).toMatchObject([
      { approval_id: one.approval_id, thread_id: "several-1", kind: "plan" },
      { approval_id: two.approval_id, thread_id: "several-2", kind: "plan" },
    ]);
    expect(await approve({ task_id: "several-2" })).toMatchObject({ approval_id: two.approval_id });
  });

  test("approve fails when none is pending", async () => {
    expect((await refusal()).code).toBe("approval_not_found");
    expect((await refusal({ task_id: "several-3" })).code).toBe("approval_not_found");
  });
});

describe("with an id", () => {
  test("one that does not exist, or is another task's, is not found", async () => {
    const { approval_id } = await waiting("mine");
    expect((await refusal({ approval_id: "nobody" })).code).toBe("approval_not_found");
    expect((await refusal({ approval_id, task_id: "other" })).code).toBe("approval_not_found");
    expect(await approve({ approval_id, task_id: "mine" })).toMatchObject({ status: "approved" });
  });

  test("a wrong digest is refused, and the approval stays pending", async () => {
    const { approval_id, digest } = await waiting("digest");
    const { code, current } = await refusal({ approval_id, digest: digest.replace(/./, "x") });
    expect([code, current]).toMatchObject(["digest_mismatch", { approval_id, status: "pending", digest }]);
    expect(await approve({ approval_id, digest })).toMatchObject({ status: "approved" });
  });
});

describe("the first decision counts", () => {
  test("the same decision again changes nothing, and another receives the current approval [4.approve]", async () => {
    const { approval_id } = await waiting("first");
    const first = await approve({ approval_id, decided_by: "kim", wait_seconds: 30 });
    expect(first.decision).toEqual({ decision: "approve", reason: null, decided_by: "kim", token_id: "supervisor" });
    expect(await approve({ approval_id, decided_by: "sam" })).toMatchObject({
      decision: first.decision,
      decided_at: first.decided_at,
    });
    const { code, current } = await refusal({ approval_id, decision: "reject" });
    expect([code, current]).toMatchObject(["approval_not_pending", { status: "approved", decision: first.decision }]);
    expect(await approve({ task_id: "first" }), "by its task it is still found").toMatchObject({ approval_id });
    expect(engine.linesOf("first")).toEqual(["x"]);
  });

  test("when two opposite decisions arrive at once, and the other caller receives it", async () => {
    for (const nth of [1, 2, 3, 4, 5, 6]) {
      const name = `contrary-${nth}`;
      const { approval_id } = await waiting(name);
      const order = nth % 2 === 0 ? ["approve", "reject"] : ["reject", "approve"];
      const answers = await Promise.allSettled(order.map((decision) => approve({ approval_id, decision })));
      const won = answers.find((answer) => answer.status === "fulfilled");
      const lost = answers.find((answer) => answer.status === "rejected");
      expect(lost?.reason).toMatchObject({ code: "approval_not_pending", current: { status: won?.value.status } });
      const approved = won?.value.status === "approved";
      expect(await engine.outcomeOf(name)).toMatchObject({ status: approved ? "ok" : "blocked" });
      expect(engine.linesOf(name)).toHaveLength(approved ? 1 : 0);
    }
  });

  test("when two opposite decisions on a promotion arrive at once", async () => {
    const given = { intent: "restart", target: { service: "promotion" }, steps: [check("test -d /")] };
    const { sop, approval_id } = await engine.call("teach", given);
    const answers = await Promise.allSettled(
      ["approve", "reject"].map((decision) => approve({ approval_id, decision })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const won = answers.find((answer) => answer.status === "fulfilled")?.value.status;
    const status = async () => (await engine.call("get_sop", { sop_id: sop.sop_id })).sop.status;
    await expect.poll(status, { timeout: 10_000 }).toBe(won === "approved" ? "active" : "deprecated");
  });

  test("when four equal decisions arrive at once: all receive the approval, and the plan runs once", async () => {
    const { approval_id } = await waiting("equal");
    const answers = await Promise.all([1, 2, 3, 4].map(() => approve({ approval_id })));
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill("approved"));
    await engine.outcomeOf("equal");
    expect(engine.linesOf("equal")).toEqual(["x"]);
  });
});

test("an expired approval cannot be approved any more, and the task is blocked", async () => {
  const { approval_id, expires_at, created_at } = await waiting("expired");
  expect(Date.parse(expires_at) - Date.parse(created_at), "72 h by default").toBe(72 * 3_600_000);
  const data = { expires_at: created_at, row_sum: "" };
  await engine.database.client.approval.update({ where: { approval_id }, data });
  const { code, current } = await refusal({ approval_id });
  expect([code, current]).toMatchObject([
    "approval_not_pending",
    { status: "expired", decision: { reason: "expired" } },
  ]);
  expect(await engine.outcomeOf("expired")).toMatchObject({
    status: "blocked",
    outcome: { reason_code: "approval_expired" },
  });
  expect(engine.linesOf("expired")).toEqual([]);
});

test("approvals are listed oldest first, by status and by thread", async () => {
  await waiting("list-1");
  await waiting("list-2");
  const { approvals } = await engine.call("list_approvals", { status: "pending", limit: 1 });
  expect(approvals).toMatchObject([{ thread_id: "list-1" }]);
  const page = await engine.call("list_approvals", { status: "pending", after: approvals[0].approval_id });
  expect(page.approvals).toMatchObject([{ thread_id: "list-2" }]);
});
