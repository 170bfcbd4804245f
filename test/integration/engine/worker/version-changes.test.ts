// Another version comes into use: approvals that name the one before are superseded.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { evidenceFaults } from "../../../support/promoted-version.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const steps = (nth: number) => [cmd(`echo v${nth} >> ran`), check("test -d /")];
const threadOf = (sop_id: string) => `promotion/${sop_id}`;
const sop = async (sop_id: string) => (await engine.call("get_sop", { sop_id })).sop;
const statusesOf = (...ids: string[]) => Promise.all(ids.map(async (id) => (await sop(id)).status));
const approve = (approval_id: string, decision = "approve") => engine.call("approve", { approval_id, decision });
const refusal = (approval_id: string, decision = "approve") => engine.refusal("approve", { approval_id, decision });

type Candidate = { readonly sop_id: string; readonly approval_id: string };

async function candidate(name: string, nth: number): Promise<Candidate> {
  const target = engine.targetOf(name);
  const { sop: made, approval_id } = await engine.call("teach", { intent: "deploy", target, steps: steps(nth) });
  return { sop_id: made.sop_id, approval_id };
}

/** The pending approval of the version that is not the one given. */
const askedAgain = async ({ sop_id, approval_id }: Candidate) => {
  let found = approval_id;
  await expect
    .poll(async () => {
      ({ approval_id: found } = await engine.approvalOf(threadOf(sop_id)));
      return found;
    })
    .not.toBe(approval_id);
  return found;
};

const inbox = async (): Promise<string[]> =>
  (await engine.call("list_inbox", {})).items.map(({ approval_id }: { approval_id: string | null }) => approval_id);

describe("promises 2.7: an approval that names another version than the one in use", () => {
  test("is superseded at once, and is refused with the approval that takes its place", async () => {
    const [v1, v2] = [await candidate("two", 1), await candidate("two", 2)];
    const done = await approve(v1.approval_id);
    expect(done.promotion).toEqual({
      sop_id: v1.sop_id,
      version: 1,
      in_use: true,
      message: "Version 1 is in use now. Its first run asks for an approval.",
    });
    const { code, message, fix, current } = await refusal(v2.approval_id);
    const again = await askedAgain(v2);
    expect([code, message]).toEqual([
      "approval_stale",
      "Version 2 is not in use: when this approval was requested, no version was in use; now version 1 is.",
    ]);
    expect(fix).toContain(again);
    expect(current).toMatchObject({ approval_id: again, status: "pending", content: { replaces: 1 } });
    expect(await inbox()).toContain(again);
    expect(await inbox()).not.toContain(v2.approval_id);
    const { approval } = await engine.call("get_approval", { approval_id: v2.approval_id });
    expect(approval.status).toBe("superseded");
    expect((await approve(again)).promotion).toMatchObject({ version: 2, in_use: true });
    expect(await statusesOf(v1.sop_id, v2.sop_id)).toEqual(["deprecated", "active"]);
  });

  test("cannot be rejected once it is superseded, and the new one can", async () => {
    const [v1, v2] = [await candidate("reject", 1), await candidate("reject", 2)];
    await approve(v1.approval_id);
    const again = await askedAgain(v2);
    expect(await refusal(v2.approval_id, "reject")).toMatchObject({ code: "approval_stale" });
    expect((await approve(again, "reject")).promotion).toMatchObject({
      in_use: false,
      message: "Version 2 is not in use, because its approval was rejected.",
    });
    expect(await statusesOf(v1.sop_id, v2.sop_id)).toEqual(["active", "deprecated"]);
  });

  test.each([1, 2, 3])("two approvers at once: the answer to each is what came of it (%i)", async (nth) => {
    const name = `at-once-${nth}`;
    const both = [await candidate(name, 1), await candidate(name, 2)];
    const answers = await Promise.allSettled(both.map(({ approval_id }) => approve(approval_id)));
    for (const [index, answer] of answers.entries()) {
      const { status } = await sop(both[index]?.sop_id ?? "");
      if (answer.status === "fulfilled") {
        // The older one may have been in use for a moment.
        expect([true, status === "active"]).toContain(answer.value.promotion.in_use);
      } else {
        expect(["approval_stale", "approval_not_pending"]).toContain(answer.reason.code);
        expect(status).not.toBe("active");
      }
    }
    const statuses = await statusesOf(...both.map(({ sop_id }) => sop_id));
    expect(statuses.filter((status) => status === "active")).toHaveLength(1);
  });

  test("a repeated approval of a version that was replaced since changes nothing", async () => {
    const v1 = await candidate("repeated", 1);
    await approve(v1.approval_id);
    const v2 = await candidate("repeated", 2);
    await approve(v2.approval_id);
    expect((await approve(v1.approval_id)).promotion).toMatchObject({
      in_use: false,
      message: "Version 1 came into use with this approval, and is not in use any more.",
    });
    expect(await statusesOf(v1.sop_id, v2.sop_id)).toEqual(["deprecated", "active"]);
  });

  test("a replacement that waits does not take the place of a version that was promoted meanwhile", async () => {
    const target = engine.targetOf("update");
    const v1 = await engine.learn("deploy", target, steps(1));
    await engine.run("edit", { target, intent: "update_sop", payload: { intent: "deploy", steps: steps(2) } });
    const { approval_id } = await engine.approvalOf("edit");
    const v3 = await candidate("update", 3);
    expect((await approve(v3.approval_id)).promotion).toMatchObject({ version: 3, in_use: true });
    const { task } = await approve(approval_id);
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_stale" } });
    expect(task.outcome.message).toBe(
      "Version 2 of deploy is not in use, because version 3 came into use after its approval was requested.",
    );
    expect(await statusesOf(v1.sop_id, v3.sop_id)).toEqual(["deprecated", "active"]);
    expect(await evidenceFaults(engine, "edit")).toEqual([]);
  });

  test("a candidate that waits while an update sets the version aside asks again after the update is refused", async () => {
    const target = engine.targetOf("refused");
    await engine.learn("deploy", target, steps(1));
    const v2 = await candidate("refused", 2);
    await engine.run("refused-edit", { target, intent: "update_sop", payload: { intent: "deploy", steps: steps(3) } });
    const { approval_id } = await engine.approvalOf("refused-edit");
    expect(await refusal(v2.approval_id)).toMatchObject({
      code: "approval_stale",
      current: { content: { replaces: null } },
    });
    await approve(approval_id, "reject");
    await expect
      .poll(async () => (await engine.approvalOf(threadOf(v2.sop_id))).content.replaces, { timeout: 20_000 })
      .toBe(1);
  });
});
