// A first run that passed and could not be proved (D-413): the version stays where the one before is proved no better, and otherwise it asks
// to be kept.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { check, cmd } from "../../support/builders.ts";
import { type LookingEngine, openLookingEngine } from "../../support/looking-engine.ts";
import { bundleOf, expectGivenBack, HONEST, VACUOUS, versionsOn, withProved } from "../../support/trials.ts";

let engine: LookingEngine;
beforeAll(async () => {
  engine = await openLookingEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

describe("promises 2.8: a first run that passed and could not be proved", () => {
  /** A restore test: it makes a place of its own, restores there and looks. */
  const RESTORES = (nth: number) => [
    cmd(`echo backup ${nth} > backup.txt`),
    check('d=$(mktemp -d) && cp backup.txt "$d/restored" && grep -q backup "$d/restored"'),
  ];

  test.each([
    ["a restore test", RESTORES],
    ["a check that writes beside the target", (nth: number) => [cmd(`echo ${nth} > x`), check("cp x y && test -s y")]],
    ["a check that is always true", (nth: number) => [cmd(`echo ${nth} > x`), VACUOUS]],
  ])("%s: is accepted where the version before is proved no better", async (_what, steps) => {
    const target = await engine.aTarget();
    const name = `same-${target.service}`;
    await engine.promoted(target, steps(1));
    await engine.ran(`${name}-1`, target);
    await engine.promoted(target, steps(2));
    const task = await engine.ran(`${name}-2`, target);
    expect(task).toMatchObject({ status: "ok" });
    expect(task.outcome.message).not.toContain("active again");
    expect(await versionsOn(engine, target)).toEqual(["2 active tried 0", "1 deprecated tried 0"]);
    expect(verifyBundle(await bundleOf(engine, `${name}-2`))).toMatchObject({ faults: [] });
    expect(await engine.start(`${name}-3`, target)).toMatchObject({ status: "ok", sop_version: 2 });
  });

  test("asks to be kept where the version before is proved, after the question has said so", async () => {
    const { target } = await withProved(engine, "kept");
    const { sop, approval_id } = await engine.call("teach", { intent: "deploy", target, steps: RESTORES(2) });
    const { approval } = await engine.call("get_approval", { approval_id });
    expect(approval.content.proof.warnings).toContain(
      "Check step 1 cannot be seen to fail, so the first run cannot prove this version. Version 1 is proved: after that run you are asked whether to keep this one.",
    );
    await engine.call("approve", { approval_id, decision: "approve" });
    const started = await engine.start("kept", target);
    expect(started.outcome.message).toContain("cannot be seen to fail, so the first run cannot prove this version");
    const task = await engine.finish("kept");
    const sentence =
      "The first run of version 2 passed, but its checks could not be shown to fail: version 1 is in use again. Version 2 asks in the inbox to be kept.";
    expect(task.status).toBe("ok");
    await expectGivenBack(engine, "kept", { task, sentence });
    expect(await versionsOn(engine, target)).toEqual(["2 candidate tried 0", "1 active proved 0"]);
    const thread_id = `promotion/${sop.sop_id}/2`;
    const asked = await engine.approvalOf(thread_id);
    expect(asked).toMatchObject({
      reason:
        "Keep version 2 anyway? Its first run passed, but its checks could not be shown to fail. It would replace version 1, which is in use.",
      content: { replaces: 1 },
    });
    const { items } = await engine.call("list_inbox", {});
    expect(items).toContainEqual(expect.objectContaining({ approval_id: asked.approval_id }));
    const view = await engine.call("get_task", { task_id: "kept" });
    expect(view.next[0]).toMatchObject({ operation: "approve", arguments: { approval_id: asked.approval_id } });
    expect(view.next[0].text).toContain("asks to be kept");
    expect(await engine.start("kept-before", target)).toMatchObject({ status: "ok", sop_version: 1 });
    const answer = await engine.call("approve", { approval_id: asked.approval_id, decision: "approve" });
    expect(answer.promotion).toMatchObject({ in_use: true, message: "Version 2 is in use now." });
    expect(await versionsOn(engine, target)).toEqual(["2 active tried 0", "1 deprecated proved 0"]);
    expect(await engine.start("kept-after", target)).toMatchObject({ status: "ok", sop_version: 2 });
  });

  test.each(["reject", "approve"] as const)("the answer %s is carried out, after a restart too", async (decision) => {
    const name = `kept-${decision}`;
    const { target } = await withProved(engine, name);
    const { sop_id } = await engine.promoted(target, RESTORES(2));
    await engine.ran(name, target);
    await engine.decided(`promotion/${sop_id}/2`, decision);
    const is =
      decision === "approve"
        ? ["2 active tried 0", "1 deprecated proved 0"]
        : ["2 deprecated tried 0", "1 active proved 0"];
    await expect.poll(() => versionsOn(engine, target), { timeout: 20_000 }).toEqual(is);
  });

  test("gives way to a newer version that is promoted before the answer", async () => {
    const { target } = await withProved(engine, "kept-overtaken");
    const { sop_id } = await engine.promoted(target, RESTORES(2));
    await engine.ran("kept-overtaken", target);
    const { approval_id } = await engine.approvalOf(`promotion/${sop_id}/2`);
    await engine.promoted(target, [cmd("echo 'version 2' > ./release.txt"), HONEST]);
    expect(await engine.refusal("approve", { approval_id, decision: "approve" })).toMatchObject({
      code: "approval_not_pending",
    });
    expect(await versionsOn(engine, target)).toEqual([
      "3 active tried 1",
      "2 deprecated tried 0",
      "1 deprecated proved 0",
    ]);
  });
});
