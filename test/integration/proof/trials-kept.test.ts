// A first run that passed and could not be proved (D-413): the version stays where the one before is proved no better, and otherwise it asks
// to be kept.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyBundle } from "../../../src/evidence/verify/bundle.ts";
import { check, cmd } from "../../support/builders.ts";
import { missed, mutants, mutatedEntries } from "../../support/bundle-mutants.ts";
import { type LookingEngine, openLookingEngine, type Target } from "../../support/looking-engine.ts";

let engine: LookingEngine;
beforeAll(async () => {
  engine = await openLookingEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const REACH = cmd("echo 'version 2' > release.txt");
const HONEST = check('grep -q "version 2" release.txt');
const VACUOUS = check("! ls nothing-of-the-kind | grep -q x");

/** A target whose version 1 is active and was proved by a run. */
async function withProved(name: string) {
  const target = await engine.aTarget();
  const first = await engine.promoted(target, [REACH, HONEST]);
  await engine.ran(`${name}-first`, target);
  return { target, first };
}

/** The versions of a target, newest first. */
async function versionsOn({ service }: Target): Promise<string[]> {
  const { sops } = await engine.call("list_sops", { limit: 500 });
  return sops
    .filter(({ target }: { target: Target }) => target.service === service)
    .map(
      ({ version, status, level, trial_left }: Record<string, unknown>) =>
        `${version} ${status} ${level} ${trial_left}`,
    );
}

const bundleOf = async (task_id: string) => JSON.parse(JSON.stringify(await engine.call("get_evidence", { task_id })));

/** One message says it, and the evidence holds. */
async function expectGivenBack(
  name: string,
  task: { outcome: { message: string; reason_code: string } },
  sentence: string,
) {
  expect(task.outcome.message).toContain(sentence);
  const messages = await engine.messagesOf(name);
  const codes = ["approval_required", "sop_trial_failed", task.outcome.reason_code];
  expect(messages.map(({ outcome }) => outcome.reason_code)).toEqual(codes);
  expect(messages[1]?.outcome.message).toContain(`task ${name}. ${sentence}`);
  const bundle = await bundleOf(name);
  expect(verifyBundle(bundle)).toMatchObject({ faults: [] });
  expect(missed(mutants(bundle))).toEqual([]);
  expect(missed(mutatedEntries(bundle))).toEqual([]);
}

describe("promises 2.8: a first run that passed and could not be proved", () => {
  /** A restore test: it makes a place of its own, restores there and looks. */
  const RESTORES = (nth: number) => [
    cmd(`echo backup ${nth} > backup.txt`),
    check('d=$(mktemp -d) && cp backup.txt "$d/restored" && grep -q backup "$d/restored"'),
  ];

  test.each([
    ["a restore test", RESTORES],
    ["mktemp alone", (nth: number) => [cmd(`echo ${nth} > x`), check("t=$(mktemp) && cat x > $t && grep -q . $t")]],
    ["a check that writes beside the target", (nth: number) => [cmd(`echo ${nth} > x`), check("cp x y && test -s y")]],
    ["a check that is always true", (nth: number) => [cmd(`echo ${nth} > x`), VACUOUS]],
    [
      "a database made anew",
      (nth: number) => [cmd(`echo ${nth} > x`), check("mkdir -p db && cp x db/ && test -s db/x")],
    ],
  ])("%s: is accepted where the version before is proved no better", async (_what, steps) => {
    const target = await engine.aTarget();
    const name = `same-${target.service}`;
    await engine.promoted(target, steps(1));
    await engine.ran(`${name}-1`, target);
    await engine.promoted(target, steps(2));
    const task = await engine.ran(`${name}-2`, target);
    expect(task).toMatchObject({ status: "ok" });
    expect(task.outcome.message).not.toContain("active again");
    expect(await versionsOn(target)).toEqual(["2 active tried 0", "1 deprecated tried 0"]);
    expect(verifyBundle(await bundleOf(`${name}-2`))).toMatchObject({ faults: [] });
    expect(await engine.start(`${name}-3`, target)).toMatchObject({ status: "ok", sop_version: 2 });
  });

  test("asks to be kept where the version before is proved, after the question has said so", async () => {
    const { target } = await withProved("kept");
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
    await expectGivenBack("kept", task, sentence);
    expect(await versionsOn(target)).toEqual(["2 candidate tried 0", "1 active proved 0"]);
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
    expect(await versionsOn(target)).toEqual(["2 active tried 0", "1 deprecated proved 0"]);
    expect(await engine.start("kept-after", target)).toMatchObject({ status: "ok", sop_version: 2 });
  });

  test.each(["reject", "approve"] as const)("the answer %s is carried out, after a restart too", async (decision) => {
    const name = `kept-${decision}`;
    const { target } = await withProved(name);
    const { sop_id } = await engine.promoted(target, RESTORES(2));
    await engine.ran(name, target);
    await engine.decided(`promotion/${sop_id}/2`, decision);
    const is =
      decision === "approve"
        ? ["2 active tried 0", "1 deprecated proved 0"]
        : ["2 deprecated tried 0", "1 active proved 0"];
    await expect.poll(() => versionsOn(target), { timeout: 20_000 }).toEqual(is);
  });

  test("gives way to a newer version that is promoted before the answer", async () => {
    const { target } = await withProved("kept-overtaken");
    const { sop_id } = await engine.promoted(target, RESTORES(2));
    await engine.ran("kept-overtaken", target);
    const { approval_id } = await engine.approvalOf(`promotion/${sop_id}/2`);
    await engine.promoted(target, [cmd("echo 'version 2' > ./release.txt"), HONEST]);
    expect(await engine.refusal("approve", { approval_id, decision: "approve" })).toMatchObject({
      code: "approval_not_pending",
    });
    expect(await versionsOn(target)).toEqual(["3 active tried 1", "2 deprecated tried 0", "1 deprecated proved 0"]);
  });
});
