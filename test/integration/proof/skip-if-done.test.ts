// A task whose checks are true already ends without a run where its contract asks for it (D-199), with every look on.
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { check, cmd, contractBody } from "../../support/builders.ts";
import { missed, mutants } from "../../support/bundle-mutants.ts";
import { type Engine, openEngine } from "../../support/engine.ts";
import { type LookingEngine, openLookingEngine, type Target } from "../../support/looking-engine.ts";
import { bundleOf, HONEST, VACUOUS } from "../../support/trials.ts";

let engine: LookingEngine;
beforeAll(async () => {
  engine = await openLookingEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

/** A target on which the goal is reached already. */
async function aTarget() {
  const target = await engine.aTarget();
  await writeFile(join(target.compose_dir, "release.txt"), "version 2\n");
  return target;
}

const REACH = cmd("echo x >> ran; echo 'version 2' > release.txt");

const KNOWN = { delegation_mode: "known_only", success_criteria: [], skip_if_done: true };
const ranOn = ({ compose_dir }: Pick<Target, "compose_dir">) => existsSync(join(compose_dir, "ran"));
const run = (on: Pick<Engine, "submit">, target: Target, over: object = {}) =>
  on.submit({ task_id: `task-${target.service}`, target, ...KNOWN, ...over });

describe("a task that asks for it", () => {
  test("ends already_done, and nothing was run, counted or made a candidate", async () => {
    const target = await aTarget();
    const { sop_id } = await engine.learn("deploy", target, [REACH, HONEST]);
    const task = await run(engine, target);
    expect(task).toMatchObject({
      status: "ok",
      label: "DONE",
      steps: [{ status: "skipped" }, { status: "skipped" }],
      outcome: {
        reason_code: "already_done",
        message: "Already done: 1 check was true before anything ran. Nothing was run.",
        proof: { checks: 1, proved: 1, became_true: 0 },
      },
      checks: [{ proof: "proved", seen_red: ["decoy", "control"], change: "was_true_already", passed: true }],
    });
    expect(ranOn(target)).toBe(false);
    const { sop } = await engine.call("get_sop", { sop_id });
    expect(sop).toMatchObject({ success_count: 0, failure_count: 0, last_success_at: null });
    const { tasks } = await engine.call("list_tasks", { limit: 1 });
    expect(tasks[0].outcome.proof).toMatchObject({ proved: 1 });
  });

  test("leaves evidence that is verified offline, and in which no value can be changed", async () => {
    const target = await aTarget();
    await engine.learn("deploy", target, [REACH, HONEST]);
    const { task_id } = await run(engine, target);
    const bundle = await bundleOf(engine, task_id);
    expect(verifyBundle(bundle)).toMatchObject({ faults: [] });
    expect(bundle).toMatchObject({ step_results: [], executed_commands: [], verdict: { reason_code: "already_done" } });
    expect(missed(mutants(bundle))).toEqual([]);
  });

  test("that was taught leaves no candidate where nothing was run", async () => {
    const target = await aTarget();
    const task_id = `taught-${target.service}`;
    await engine.submit({ task_id, target, skip_if_done: true });
    const { task } = await engine.call("teach", { task_id, steps: [REACH, HONEST], wait_seconds: 40 });
    expect(task).toMatchObject({ status: "ok", outcome: { reason_code: "already_done" } });
    expect(ranOn(target)).toBe(false);
    const target_signature = task.target_signature;
    expect(await engine.call("list_sops", { target_signature })).toMatchObject({ sops: [] });
  });

  test("is looked at after its approval, and a rejection ends it as ever", async () => {
    const target = await aTarget();
    await engine.learn("deploy", target, [REACH, HONEST], { safety_level: "approval_required" });
    const task_id = `asked-${target.service}`;
    expect(await run(engine, target, { task_id })).toMatchObject({ status: "need_approval" });
    expect(await engine.finish(task_id)).toMatchObject({ status: "ok", outcome: { reason_code: "already_done" } });
    expect(verifyBundle(await bundleOf(engine, task_id))).toMatchObject({ faults: [] });
    expect(ranOn(target)).toBe(false);
  });

  test("says nothing for a version on trial, and nothing against it", async () => {
    const target = await aTarget();
    const before = await engine.promoted(target, [REACH, HONEST]);
    expect(before.trial_left).toBe(1);
    const task_id = `trial-${target.service}`;
    expect(await run(engine, target, { task_id })).toMatchObject({ status: "need_approval" });
    expect(await engine.finish(task_id)).toMatchObject({ outcome: { reason_code: "already_done" } });
    expect(await engine.version(before.sop_id)).toEqual(before);
  });

  test("runs as usual where a check is not true, and the next one is done already", async () => {
    const target = await aTarget();
    await rm(join(target.compose_dir, "release.txt"));
    await engine.learn("deploy", target, [REACH, HONEST]);
    const first = await run(engine, target, { task_id: `first-${target.service}` });
    expect(first.outcome).toMatchObject({ reason_code: "verified", message: "1 check passed." });
    expect(first.checks).toMatchObject([{ change: "became_true" }]);
    const second = await run(engine, target, { task_id: `second-${target.service}` });
    expect(second.outcome).toMatchObject({ reason_code: "already_done" });
    expect(second.checks).toMatchObject([{ seen_red: ["history", "decoy", "control"] }]);
  });

  test("runs as usual where one check has never been seen to fail, and says so", async () => {
    const target = await aTarget();
    await engine.learn("deploy", target, [REACH, HONEST, VACUOUS]);
    const task = await run(engine, target);
    expect(task.outcome).toMatchObject({ reason_code: "verified", proof: { checks: 2, proved: 1, unproved: 1 } });
    expect(task.outcome.message).toMatch(/skip_if_done had no effect: check step 2 is unproved: /);
    expect(ranOn(target)).toBe(true);
  });
});

test.each([[{ BEFORE_LOOK: "off", CHECK_LOOKS: "on" }], [{ BEFORE_LOOK: "on", CHECK_LOOKS: "off" }]])(
  "the task runs as usual with %j, and nothing false is said",
  async (env) => {
    await using other = await openEngine({ env });
    const target = await aTarget();
    await other.learn("deploy", target, [REACH, HONEST]);
    const { skip } = await other.call("explain", { contract: contractBody({ target, ...KNOWN }) });
    expect(skip).toBe("skip_if_done has no effect: checks are not looked at before the change here.");
    const task = await run(other, target);
    expect(task).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
    expect(task.outcome.message).toContain("1 check passed.");
    expect(task.outcome.message).toContain("skip_if_done had no effect: check step 1 was not ");
    expect(ranOn(target)).toBe(true);
  },
);

test.each([
  [{ intent: "update_sop" }, "update_sop"],
  [{ delegation_mode: "agent" }, "an agent"],
])("the contract %j refuses it, and explain says so", async (over, who) => {
  const contract = contractBody({ task_id: "refused", ...KNOWN, ...over });
  const message = `is for procedures: ${who} has no checks before it runs; leave it out`;
  const refused = await engine.refusal("submit_task", contract);
  expect(refused).toMatchObject({ code: "contract_invalid", issues: [{ path: "skip_if_done", message }] });
  const explained = await engine.call("explain", { contract });
  expect(explained).toMatchObject({ would: "block", why: `skip_if_done ${message}.`, skip: null });
});

test("explain says what it would do, and what is in the way", async () => {
  const target = await aTarget();
  const skipOf = async (steps: readonly object[], over: object = {}) =>
    (await engine.call("explain", { contract: contractBody({ target, ...KNOWN, ...over }), steps })).skip;
  expect(await skipOf([REACH, HONEST])).toBe(
    "Before the first step, and after an approval, 1 check would be looked at. If all are true and can fail, nothing would be run and the task would end ok, already_done.",
  );
  expect(await skipOf([REACH, HONEST], { skip_if_done: false })).toBeNull();
  const none = (why: string) => `skip_if_done has no effect: ${why}.`;
  expect(await skipOf([REACH, check("touch b"), HONEST])).toBe(none("policy does not know check step 1 to look only"));
  expect(await skipOf([HONEST])).toBe(none("policy knows no check after a change to look only"));
  expect(await skipOf([HONEST], { intent: "triage" })).toBe(none("the intent triage only looks"));
});
