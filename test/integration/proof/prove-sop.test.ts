// What is known of a version before a human decides on it: its level, what its checks answer now, previews, runs, its difference to
// the active version, and warnings (D-200). No step that changes something runs for it.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approvalDigest } from "../../../src/domain/approval.ts";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { check, cmd, contractBody } from "../../support/builders.ts";
import { type LookingEngine, openLookingEngine, type Target } from "../../support/looking-engine.ts";
import { HONEST, VACUOUS, versionsOn } from "../../support/trials.ts";

let engine: LookingEngine;
beforeAll(async () => {
  engine = await openLookingEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const REACH = cmd("echo x >> ran; echo 'version 2' > release.txt");
const withPreview = (preview: string) => ({ ...REACH, preview });

const has = ({ compose_dir }: Target, name: string) => existsSync(join(compose_dir, name));
/** Resolves when a thread reaches this node. */
function reached(node: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (message: unknown) => {
    if ((message as { name: string }).name !== node) return;
    unsubscribe("orch:node", look);
    resolve();
  };
  subscribe("orch:node", look);
  return promise;
}
const taught = async (target: Target, steps: readonly object[]) => {
  const { sop } = await engine.call("teach", { intent: "deploy", target, steps });
  const approval = await engine.approvalOf(`promotion/${sop.sop_id}`);
  return { sop: await engine.version(sop.sop_id), approval };
};

describe("the promotion of a version that was taught without a task", () => {
  test("shows what is known of it: tried, red now, and never run", async () => {
    const target = await engine.aTarget();
    const { sop, approval } = await taught(target, [REACH, HONEST]);
    expect(sop).toMatchObject({ level: "tried", trial_left: 1 });
    expect(approval.content.proof).toMatchObject({
      level: "tried",
      runs: [],
      diff: null,
      proved_on: null,
      warnings: ["No run of it has passed yet."],
      steps: [{ change: "changes" }, { change: "looks" }],
      checks: [{ step_index: 1, class: "proved", now: "red", seen_red: ["decoy", "control"] }],
    });
    expect([has(target, "ran"), has(target, "release.txt")]).toEqual([false, false]);
  });

  test("shows weak checks first, and leaves a version defined whose check was not looked at", async () => {
    const target = await engine.aTarget();
    const steps = [REACH, VACUOUS, check(`${HONEST.value} # orch: once`)];
    const { sop, approval } = await taught(target, steps);
    expect(sop.level).toBe("defined");
    const { checks, warnings } = approval.content.proof;
    expect(checks).toMatchObject([{ class: "unproved", now: "green" }, { now: null }]);
    expect(warnings[0]).toBe("No run of it has passed yet.");
    expect(warnings[1]).toMatch(/^Check step 1 is unproved: /);
  });

  test("shows its difference to the active version, and the runs of the one that asks", async () => {
    const target = await engine.aTarget();
    const [task_id, next] = [`${target.service}-1`, `${target.service}-2`];
    await engine.promoted(target, [REACH, HONEST]);
    await engine.ran(task_id, target);
    const other = cmd("echo 'version 2' > ./release.txt");
    const { approval } = await taught(target, [other, HONEST]);
    expect(approval.content.replaces).toBe(1);
    expect(approval.content.proof.diff).toEqual([
      { is: "removed", step_index: 0, step: `cmd ${"value" in REACH ? REACH.value : ""}` },
      { is: "added", step_index: 0, step: "cmd echo 'version 2' > ./release.txt" },
    ]);
    await engine.settled(approval.content.sop_id);
    await engine.ran(next, target);
    const { proof } = await engine.call("prove_sop", { sop_id: approval.content.sop_id });
    expect(proof).toMatchObject({ level: "proved", warnings: [], diff: null });
    expect(proof.runs).toMatchObject([{ task_id: next, passed: true, checks: [{ step_index: 1, passed: true }] }]);
  });

  test("is bound to what it shows: with another proof the digest is another, and it is refused", async () => {
    const target = await engine.aTarget();
    const { approval } = await taught(target, [REACH, HONEST]);
    const { content, digest, approval_id } = approval;
    expect(approvalDigest(content)).toBe(digest);
    for (const change of [
      { ...content.proof, warnings: [] },
      { ...content.proof, level: "proved" },
      { ...content.proof, checks: content.proof.checks.map((one: object) => ({ ...one, now: "green" })) },
    ]) {
      const other = approvalDigest({ ...content, proof: change });
      expect(other).not.toBe(digest);
      const refusal = await engine.refusal("approve", { approval_id, decision: "approve", digest: other });
      expect(refusal.code).toBe("digest_mismatch");
    }
    await engine.call("approve", { approval_id, decision: "approve", digest });
  });
});

test("a replacement shows its proof, too", async () => {
  const target = await engine.aTarget();
  await engine.promoted(target, [REACH, HONEST]);
  const payload = { intent: "deploy", target, steps: [REACH, VACUOUS] };
  await engine.submit({ task_id: "replacing", intent: "update_sop", target: {}, payload });
  const { content, digest } = await engine.approvalOf("replacing");
  expect(content.proof).toMatchObject({ level: "tried", runs: [], checks: [{ class: "unproved", now: "green" }] });
  expect(content.proof.warnings).toEqual([
    "No run of it has passed yet.",
    expect.stringMatching(/^Check step 1 is unproved: /),
    "All its checks are true on the target before it has run there.",
  ]);
  expect(approvalDigest({ ...content, proof: { ...content.proof, warnings: [] } })).not.toBe(digest);
  expect(await engine.version(content.sop_id)).toMatchObject({ status: "candidate", level: "tried" });
  const bundle = await engine.call("get_evidence", { task_id: "replacing" });
  expect(verifyBundle(bundle)).toMatchObject({ faults: [] });
  const shown = bundle.approvals.map((one: { content: object }) => ({
    ...one,
    content: { ...one.content, proof: { ...content.proof, warnings: [] } },
  }));
  expect(verifyBundle({ ...bundle, approvals: shown }).faults).toContain(
    "approvals.0.content.proof is not what the journal gives.",
  );
  await engine.finish("replacing", "reject");
});

describe("prove_sop", () => {
  test("runs checks and previews that only look, and no step that changes something", async () => {
    const target = await engine.aTarget();
    await writeFile(join(target.compose_dir, "plan"), "would add 1\n");
    const { sop_id } = await engine.promoted(target, [withPreview("cat plan"), HONEST]);
    const answer = await engine.call("prove_sop", { sop_id });
    expect(answer.proof.steps).toMatchObject([
      { change: "changes", preview: { exit_code: 0, output: "would add 1\n" } },
      { change: "looks", preview: null },
    ]);
    expect(answer.proof.checks).toMatchObject([{ now: "red" }]);
    expect([has(target, "ran"), has(target, "release.txt")]).toEqual([false, false]);
    expect(answer.sop).toMatchObject({ status: "active", level: "tried" });
    const { proof } = await engine.call("prove_sop", { sop_id });
    expect(proof, "a second time it says the same").toEqual(answer.proof);
  });

  test("raises a version that came into use without a proof to tried", async () => {
    const target = await engine.aTarget();
    const { sop_id } = await engine.plant("deploy", { ...target }, [REACH, HONEST]);
    expect((await engine.version(sop_id)).level).toBe("defined");
    expect((await engine.call("prove_sop", { sop_id })).sop.level).toBe("tried");
  });

  test("says what policy cannot tell, and runs neither such a check nor such a preview", async () => {
    const target = await engine.aTarget();
    await writeFile(join(target.compose_dir, "probe.sh"), "echo x >> probed\n");
    const steps = [{ ...cmd("sh probe.sh"), preview: "sh probe.sh" }, check("sh probe.sh")] as const;
    const { sop_id } = await engine.plant("deploy", { ...target }, steps);
    const { proof } = await engine.call("prove_sop", { sop_id });
    const change = "cannot_tell";
    const obstacle = expect.stringContaining("not known to only look");
    expect(proof.steps).toMatchObject([
      { change, preview: { exit_code: null, obstacle } },
      { change, preview: null },
    ]);
    expect(proof.checks).toMatchObject([{ now: null }]);
    expect(proof.warnings).toContain("Policy cannot tell whether step 0 changes something.");
    expect(has(target, "probed")).toBe(false);
  });
});

describe("an update_sop task that is stopped while its version is proved", () => {
  const SLOW = check("sleep 2; grep -q never release.txt");
  async function proving(on: LookingEngine, task_id: string) {
    const target = await on.aTarget();
    await on.promoted(target, [REACH, HONEST]);
    const payload = { intent: "deploy", target, steps: [REACH, SLOW] };
    const looking = reached("replace_sop");
    const update = { intent: "update_sop", target: {}, delegation_mode: "known_only", success_criteria: [] };
    await on.call("submit_task", { ...contractBody({ task_id, ...update, payload }), wait_seconds: 0 });
    await looking;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return target;
  }
  const statusesOf = async (on: LookingEngine, target: Target) =>
    (await versionsOn(on, target)).map((version) => version.split(" ")[1]);

  test("is cancelled, and the version in use stays", async () => {
    const target = await proving(engine, "cancelled");
    expect(await engine.call("cancel_task", { task_id: "cancelled" })).toMatchObject({ status: "cancelled" });
    expect(await statusesOf(engine, target)).toEqual(["active"]);
    expect(await engine.call("list_approvals", { thread_id: "cancelled" })).toMatchObject({ approvals: [] });
  });

  test("asks after a restart, with a whole proof", async () => {
    await using first = await openLookingEngine();
    const target = await proving(first, "stopped");
    await first.shutDown();
    await using again = await openLookingEngine({}, first.directory);
    const { content } = await again.approvalOf("stopped");
    expect(content.proof.checks).toMatchObject([{ now: "red" }]);
    expect(await statusesOf(again, target)).toEqual(["candidate", "deprecated"]);
  });
});

test("a promotion that is stopped while its version is proved asks after a restart, with a whole proof", async () => {
  await using first = await openLookingEngine();
  const target = await first.aTarget();
  const proving = reached("prove");
  const asked = first.call("teach", { intent: "deploy", target, steps: [REACH, check("sleep 2; test -e ran")] });
  await proving;
  const { sops } = await first.call("list_sops", { limit: 5 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await first.shutDown();
  await asked.catch(() => null);
  await using again = await openLookingEngine({}, first.directory);
  const { content } = await again.approvalOf(`promotion/${sops[0].sop_id}`);
  expect(content.proof.checks).toMatchObject([{ now: "red" }]);
  expect(existsSync(join(target.compose_dir, "ran"))).toBe(false);
  await expect(readFile(join(target.compose_dir, "release.txt"))).rejects.toThrow();
});
