// A task that waits to be taught goes on with a version of its procedure that comes into use meanwhile.
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
const approve = (approval_id: string) => engine.call("approve", { approval_id, decision: "approve" });

async function candidate(name: string, nth: number): Promise<{ readonly approval_id: string }> {
  return engine.call("teach", { intent: "deploy", target: engine.targetOf(name), steps: steps(nth) });
}

describe("promises 4.10: a task that waits to be taught a procedure that comes into use meanwhile", () => {
  const statusOf = async (task_id: string) => (await engine.call("get_task", { task_id })).status;
  const waits = (name: string, service: string) => engine.run(name, { target: engine.targetOf(service) });

  test("goes on with the version of another task, and its evidence verifies", async () => {
    for (const name of ["teach-1", "teach-2", "teach-3"])
      expect(await waits(name, "shared")).toMatchObject({ status: "need_input" });
    await engine.call("teach", { task_id: "teach-1", steps: steps(1), wait_seconds: 30 });
    const [{ sop_id }] = (
      await engine.call("list_sops", { target_signature: (await engine.outcomeOf("teach-1")).target_signature })
    ).sops;
    await approve((await engine.approvalOf(threadOf(sop_id))).approval_id);
    for (const name of ["teach-2", "teach-3"]) {
      await expect.poll(() => statusOf(name), { timeout: 20_000 }).not.toBe("need_input");
      expect(await engine.outcomeOf(name)).toMatchObject({ sop_id, sop_version: 1 });
      expect(await evidenceFaults(engine, name)).toEqual([]);
    }
  });

  test("goes on with one that was taught without a task, and with one that an earlier search found no more", async () => {
    await waits("apart-1", "apart");
    await engine.learn("deploy", engine.targetOf("apart"), steps(1));
    await expect.poll(() => statusOf("apart-1"), { timeout: 20_000 }).not.toBe("need_input");
    expect(await engine.outcomeOf("apart-1")).toMatchObject({ sop_version: 1 });
    await waits("other-1", "other-target");
    await engine.learn("deploy", engine.targetOf("apart-2"), steps(1));
    expect(await engine.call("get_task", { task_id: "other-1" })).toMatchObject({ status: "need_input" });
    expect((await engine.call("teach", { task_id: "other-1", steps: steps(1), wait_seconds: 30 })).task.status).toBe(
      "ok",
    );
  });

  test.each([1, 2, 3, 4])("taught at the same moment: one of the two counts, and it runs once (%i)", async (nth) => {
    const name = `race-${nth}`;
    await waits(name, name);
    const { approval_id } = await candidate(name, 1);
    const mine = [cmd(`echo x >> ${name}.log`), check("test -d /")];
    const [taught] = await Promise.allSettled([
      engine.call("teach", { task_id: name, steps: mine, wait_seconds: 0 }),
      approve(approval_id),
    ]);
    await expect.poll(() => statusOf(name), { timeout: 20_000 }).not.toBe("need_input");
    const task = await engine.outcomeOf(name);
    if (taught?.status === "fulfilled") expect([task.status, engine.linesOf(`${name}.log`)]).toEqual(["ok", ["x"]]);
    else {
      expect(taught?.reason.code).toBe("task_not_waiting");
      expect([task.sop_version, engine.linesOf(`${name}.log`)]).toEqual([1, []]);
    }
  });

  test("that was cancelled stays cancelled", async () => {
    await waits("gone", "gone");
    await engine.call("cancel_task", { task_id: "gone" });
    await engine.learn("deploy", engine.targetOf("gone"), steps(1));
    expect(await engine.call("get_task", { task_id: "gone" })).toMatchObject({ status: "cancelled" });
  });
});
