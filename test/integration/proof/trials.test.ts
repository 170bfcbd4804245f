// A version that no run has proved on its target is active on trial: its first run asks, and what it proves decides (D-200).
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { check, cmd } from "../../support/builders.ts";
import { type LookingEngine, openLookingEngine } from "../../support/looking-engine.ts";
import { bundleOf, expectGivenBack, HONEST, REACH, VACUOUS, versionsOn, withProved } from "../../support/trials.ts";

let engine: LookingEngine;
beforeAll(async () => {
  engine = await openLookingEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const FAILING = check('grep -q "version 3" release.txt');

const codesOf = async (thread_id: string) =>
  (await engine.messagesOf(thread_id)).map(({ outcome }) => outcome.reason_code);

describe("the first run of a version that was only defined", () => {
  test("asks, and ends its trial where it is proved", async () => {
    const target = await engine.aTarget();
    const { sop_id } = await engine.promoted(target, [REACH, HONEST]);
    expect(await versionsOn(engine, target)).toEqual(["1 active tried 1"]);
    const asked = await engine.start("proved", target);
    expect(asked).toMatchObject({ status: "need_approval", outcome: { reason_code: "approval_required" } });
    const { content } = await engine.approvalOf("proved");
    expect(content).toMatchObject({
      on_trial: true,
      sop_id,
      findings: [{ code: "safety.on_trial", step_index: 0, verdict: "ask" }],
    });
    expect(await engine.finish("proved")).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
    expect(await versionsOn(engine, target)).toEqual(["1 active proved 0"]);
    expect(verifyBundle(await bundleOf(engine, "proved"))).toMatchObject({ faults: [] });
    expect(await engine.start("proved-again", target)).toMatchObject({ status: "ok" });
  });

  test("failed: the version before it is active again, and one message says so", async () => {
    const { target } = await withProved(engine, "failed");
    await engine.promoted(target, [REACH, FAILING]);
    const task = await engine.ran("failed", target);
    expect(task.status).toBe("failed");
    const sentence = "The trial of version 2 failed: version 1 is active again.";
    await expectGivenBack(engine, "failed", { task, sentence });
    expect(await versionsOn(engine, target)).toEqual(["2 deprecated tried 1", "1 active proved 0"]);
    expect(await engine.start("failed-after", target)).toMatchObject({ status: "ok", sop_version: 1 });
  });

  test("stays on trial where it fails and there is no version before it", async () => {
    const target = await engine.aTarget();
    await engine.promoted(target, [REACH, FAILING]);
    const { outcome } = await engine.ran("alone", target);
    expect(outcome.message).toContain("Version 1 of the procedure stays on trial: its next run asks");
    expect(await versionsOn(engine, target)).toEqual(["1 active tried 1"]);
    expect(await codesOf("alone")).not.toContain("sop_trial_failed");
    expect(await engine.start("alone-again", target)).toMatchObject({ status: "need_approval" });
    expect(verifyBundle(await bundleOf(engine, "alone"))).toMatchObject({ faults: [] });
  });

  test("ends the trial where it passes without a proof and there is no version before it", async () => {
    const target = await engine.aTarget();
    await engine.promoted(target, [REACH, VACUOUS]);
    const { outcome } = await engine.ran("accepted", target);
    expect(outcome.message).toContain("Version 1 of the procedure has passed its trial without a proof.");
    expect(await versionsOn(engine, target)).toEqual(["1 active tried 0"]);
    expect(await engine.start("accepted-again", target)).toMatchObject({ status: "ok" });
    expect(verifyBundle(await bundleOf(engine, "accepted"))).toMatchObject({ faults: [] });
  });

  test("is not proved by a look of its promotion: what was red there may have turned green without it", async () => {
    const { target } = await withProved(engine, "looked");
    const flag = join(target.compose_dir, "..", `${target.service}-flag`);
    const steps = [cmd("echo x > other"), check(`uptime | grep -q nothing-of-the-kind || test -e ${flag}`)];
    const { sop_id } = await engine.promoted(target, steps);
    const { proof } = await engine.call("prove_sop", { sop_id });
    expect(proof.checks).toMatchObject([{ now: "red", class: expect.not.stringMatching(/^proved$/) }]);
    await writeFile(flag, "");
    expect(await engine.ran("looked", target)).toMatchObject({ status: "ok" });
    expect(await versionsOn(engine, target)).toEqual(["2 candidate tried 0", "1 active proved 0"]);
    await rm(flag);
  });

  test("leaves the trial as it is where it was rejected or cancelled", async () => {
    const { target } = await withProved(engine, "left");
    await engine.promoted(target, [REACH, FAILING]);
    await engine.start("rejected", target);
    expect(await engine.finish("rejected", "reject")).toMatchObject({ status: "blocked" });
    await engine.start("cancelled", target);
    expect(await engine.call("cancel_task", { task_id: "cancelled" })).toMatchObject({ status: "cancelled" });
    expect(await versionsOn(engine, target)).toEqual(["2 active tried 1", "1 deprecated proved 0"]);
    for (const task_id of ["rejected", "cancelled"])
      expect(verifyBundle(await bundleOf(engine, task_id))).toMatchObject({ faults: [] });
  });

  test("leaves the trial as it is where it was done already", async () => {
    const { target } = await withProved(engine, "skipped");
    await engine.promoted(target, [cmd("echo x > other"), HONEST]);
    const { outcome } = await engine.ran("skipped", target, { skip_if_done: true });
    expect(outcome.reason_code).toBe("already_done");
    expect(await versionsOn(engine, target)).toEqual(["2 active tried 1", "1 deprecated proved 0"]);
  });
});

describe("a version on trial that was replaced in the meantime", () => {
  test("does not run, and gives nothing back", async () => {
    const { target } = await withProved(engine, "overtaken");
    await engine.promoted(target, [REACH, FAILING]);
    await engine.start("overtaken", target);
    await engine.promoted(target, [cmd("echo 'version 2' > ./release.txt"), HONEST]);
    const ended = await engine.finish("overtaken");
    expect(ended).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_stale" } });
    expect(ended.steps).toMatchObject([{ status: "pending" }, { status: "pending" }]);
    const versions = ["3 active tried 1", "2 deprecated tried 1", "1 deprecated proved 0"];
    expect(await versionsOn(engine, target)).toEqual(versions);
    expect(await codesOf("overtaken")).not.toContain("sop_trial_failed");
    expect(verifyBundle(await bundleOf(engine, "overtaken"))).toMatchObject({ faults: [] });
  });

  test("is on trial again where its successor fails", async () => {
    const { target } = await withProved(engine, "chain");
    await engine.promoted(target, [REACH, VACUOUS]);
    await engine.promoted(target, [REACH, FAILING]);
    await engine.ran("chain-3", target);
    const newest = "3 deprecated tried 1";
    expect(await versionsOn(engine, target)).toEqual([newest, "2 active tried 1", "1 deprecated proved 0"]);
    await engine.ran("chain-2", target);
    expect(await versionsOn(engine, target)).toEqual([newest, "2 candidate tried 0", "1 active proved 0"]);
  });
});

test("a run that fails while another one proves the version leaves it active", async () => {
  const { target } = await withProved(engine, "raced");
  const { sop_id } = await engine.promoted(target, [REACH, FAILING]);
  const prove = (message: unknown) => {
    const { when, kinds } = message as { when: string; kinds: string[] };
    if (when !== "before" || !kinds.includes("sop_trial_failed")) return;
    unsubscribe("orch:commit", prove);
    const set = { level: "proved", trial_left: 0 } as const;
    const change = { on: "sop", sop_id, expect: { status: "active" }, set } as const;
    void engine.store.commit({ thread_id: sop_id, after: null, events: [], changes: [change] });
  };
  subscribe("orch:commit", prove);
  const { outcome } = await engine.ran("raced", target);
  expect(outcome.message).not.toContain("trial");
  expect(await versionsOn(engine, target)).toEqual(["2 active proved 0", "1 deprecated proved 0"]);
  expect(await codesOf("raced")).not.toContain("sop_trial_failed");
});

describe("two tasks that are pinned to one version on trial", () => {
  /** The second version of a diagnostic procedure, and two tasks that wait for their approval. */
  async function twoOn(name: string) {
    const target = await engine.aTarget();
    const looks = { intent: "triage" };
    await writeFile(join(target.compose_dir, "is"), "up\n");
    await engine.promoted(target, [check("grep -q up is")], looks);
    await engine.ran(`${name}-0`, target, looks);
    await engine.promoted(target, [check("grep -q 'up' ./is")], looks);
    for (const nth of [1, 2]) await engine.start(`${name}-${nth}`, target, looks);
    return {
      target,
      breakIt: () => rm(join(target.compose_dir, "is")),
      mend: () => writeFile(join(target.compose_dir, "is"), "up\n"),
    };
  }

  test("the first proves it: what the second finds is no end of the trial", async () => {
    const { target, breakIt } = await twoOn("fine");
    expect(await engine.finish("fine-1")).toMatchObject({ status: "ok" });
    expect(await versionsOn(engine, target)).toEqual(["2 active proved 0", "1 deprecated proved 0"]);
    await breakIt();
    expect(await engine.finish("fine-2")).toMatchObject({ status: "failed" });
    expect(await versionsOn(engine, target)).toEqual(["2 active proved 0", "1 deprecated proved 0"]);
    expect(await codesOf("fine-2")).not.toContain("sop_trial_failed");
  });

  test("the first fails: the second does not run any more", async () => {
    const { target, breakIt, mend } = await twoOn("broken");
    await breakIt();
    expect(await engine.finish("broken-1")).toMatchObject({ status: "failed" });
    await mend();
    expect(await engine.finish("broken-2")).toMatchObject({ outcome: { reason_code: "approval_stale" } });
    const versions = (await versionsOn(engine, target)).map((version) => version.slice(0, 12));
    expect(versions).toEqual(["2 deprecated", "1 active pro"]);
    expect(await codesOf("broken-1")).toContain("sop_trial_failed");
    expect(await codesOf("broken-2")).not.toContain("sop_trial_failed");
  });

  test("that end at once: one message at most, and one active version", async () => {
    const { target, breakIt } = await twoOn("both");
    await breakIt();
    await Promise.all(["both-1", "both-2"].map((task_id) => engine.finish(task_id)));
    expect(await versionsOn(engine, target)).toEqual(["2 deprecated tried 1", "1 active proved 0"]);
    const codes = [...(await codesOf("both-1")), ...(await codesOf("both-2"))];
    expect(codes.filter((code) => code === "sop_trial_failed")).toHaveLength(1);
  });
});

test("a failed trial gives the version back that a waiting replacement has set aside", async () => {
  const { target } = await withProved(engine, "aside");
  const payload = { intent: "deploy", target, steps: [REACH, VACUOUS] };
  await engine.submit({ task_id: "aside-update", intent: "update_sop", target: {}, payload });
  await engine.promoted(target, [REACH, FAILING]);
  await engine.ran("aside", target);
  await engine.finish("aside-update", "reject");
  const [third, second, first] = await versionsOn(engine, target);
  expect([third, second?.slice(0, 12), first]).toEqual(["3 deprecated tried 1", "2 deprecated", "1 active proved 0"]);
});

test("a trial where nothing can be looked at is over with the first run that passes", async () => {
  await using blind = await openLookingEngine({ BEFORE_LOOK: "off", CHECK_LOOKS: "off" });
  const target = await blind.aTarget();
  const { sop_id, level, trial_left } = await blind.promoted(target, [REACH, HONEST]);
  expect([level, trial_left]).toEqual(["defined", 1]);
  await blind.ran("blind", target);
  expect(await blind.version(sop_id)).toMatchObject({ status: "active", level: "tried", trial_left: 0 });
  expect(await blind.start("blind-again", target)).toMatchObject({ status: "ok" });
});
