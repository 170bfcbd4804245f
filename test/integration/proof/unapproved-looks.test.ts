// What runs for a proof before anything is approved: only what policy takes for a look, confined, with every file read-only (D-200).
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../support/builders.ts";
import { type LookingEngine, openLookingEngine, type Target } from "../../support/looking-engine.ts";
import { HONEST } from "../../support/trials.ts";

let engine: LookingEngine;
beforeAll(async () => {
  engine = await openLookingEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const REACH = cmd("echo x >> ran; echo 'version 2' > release.txt");
const withPreview = (preview: string) => ({ ...REACH, preview });

const has = ({ compose_dir }: Target, name: string) => existsSync(join(compose_dir, name));
const taught = async (target: Target, steps: readonly object[]) => {
  const { sop } = await engine.call("teach", { intent: "deploy", target, steps });
  const approval = await engine.approvalOf(`promotion/${sop.sop_id}`);
  return { sop, approval };
};

/** A repository whose configuration runs a program that leaves the mark. */
function runProgramsOfGit(directory: string, setting: string, mark: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: directory, stdio: "ignore" });
  git("init");
  writeFileSync(join(directory, "tracked"), "1\n");
  git("add", "tracked");
  writeFileSync(join(directory, "tracked"), "2\n");
  git("config", setting, `touch ${mark}; false`);
}

describe("what runs before anything is approved", () => {
  test.each([
    ["a monitor of git", "core.fsmonitor", "git status"],
    ["a program that git compares with", "diff.external", "git diff"],
    ["a decoy", "core.fsmonitor", `git status && test -e "$ORCH_TARGET_SERVICE"`],
  ])("writes no file and reads no token, though policy takes it for a look: %s", async (_what, setting, look) => {
    const target = await engine.aTarget();
    const mark = join(target.compose_dir, "mark");
    runProgramsOfGit(target.compose_dir, setting, mark);
    spawnSync("bash", ["-c", look], { cwd: target.compose_dir });
    expect(existsSync(mark)).toBe(true);
    rmSync(mark);
    const token = `cat ${engine.directory}/*/*.db`;
    const previews = [look, token].map((preview) => ({ ...cmd("touch done"), preview }));
    const { sop, approval } = await taught(target, [...previews, check(look)]);
    const { steps } = approval.content.proof;
    expect(steps).toMatchObject([{ preview: { obstacle: null } }, { preview: { exit_code: 1 } }, {}]);
    await engine.call("prove_sop", { sop_id: sop.sop_id });
    expect(existsSync(mark)).toBe(false);
    expect(steps[1].preview.output).toContain("No such file");
  });
});

describe("a preview that does not only look", () => {
  test.each([
    ["changes something", "touch marker"],
    ["is always blocked", "rm -rf /"],
  ])("is refused by teach, and by update_sop: it %s", async (_what, preview) => {
    const target = await engine.aTarget();
    const steps = [withPreview(preview), HONEST];
    const refused = { code: "sop_steps_invalid", issues: [{ path: "steps.0.preview" }] };
    expect(await engine.refusal("teach", { intent: "deploy", target, steps })).toMatchObject(refused);
    const task_id = `${target.service}-taught`;
    await engine.submit({ task_id, target });
    expect(await engine.refusal("teach", { task_id, steps })).toMatchObject(refused);
    await engine.promoted(target, [REACH, HONEST]);
    const payload = { intent: "deploy", target, steps };
    const update = await engine.submit({ task_id: `${task_id}-update`, intent: "update_sop", target: {}, payload });
    expect(update).toMatchObject({ status: "blocked", outcome: { reason_code: "update_invalid" } });
    expect(update.outcome.message).toMatch(/^payload\.steps\.0\.preview: /);
    expect(has(target, "marker")).toBe(false);
  });
});

describe("the look at what an approval covers", () => {
  const asks = { implicit_scope: ["cmd:echo", "cmd:grep", "cmd:cat", "cmd:touch"], require_approval_for: ["writes"] };

  test("answers for steps that are stored nowhere, with the task's own values, and runs no step", async () => {
    const target = await engine.aTarget();
    const task_id = `${target.service}-plan`;
    writeFileSync(join(target.compose_dir, "release.txt"), `${task_id}\n`);
    await engine.submit({ task_id, target, constraints: asks });
    const steps = [
      { ...REACH, preview: "cat release.txt" },
      check('grep -q "$ORCH_TASK_ID" release.txt'),
      HONEST,
      check("touch marker"),
      { ...REACH, preview: "head release.txt" },
    ];
    await engine.call("teach", { task_id, steps, wait_seconds: 20 });
    const { approval_id, content } = await engine.approvalOf(task_id);
    expect(content.sop_id).toBeNull();
    const looked = await engine.call("look_at_approval", { approval_id });
    expect(looked.checks.map(({ step_index, now }: never) => [step_index, now])).toEqual([
      [1, "green"],
      [2, "red"],
      [3, null],
    ]);
    expect(looked.steps[0]).toMatchObject({ change: "changes", preview: { exit_code: 0, output: `${task_id}\n` } });
    expect(looked.steps[4].preview).toMatchObject({
      exit_code: null,
      obstacle: expect.stringContaining("head is not in implicit_scope"),
    });
    expect(looked.warnings).toEqual([]);
    expect([has(target, "ran"), has(target, "marker")]).toEqual([false, false]);
    await engine.call("approve", { approval_id, decision: "reject" });
    const settled = await engine.call("look_at_approval", { approval_id });
    expect(settled).toMatchObject({ checks: [], steps: [], warnings: [expect.stringContaining("no decision")] });
  });

  test("makes no task up for a stored version: what reads one is not run, and has no value", async () => {
    const target = await engine.aTarget();
    const reads = check('grep -q "$ORCH_TASK_ID" release.txt');
    const { approval } = await taught(target, [{ ...REACH, preview: 'echo "$ORCH_PAYLOAD"' }, reads, HONEST]);
    const { approval_id } = approval;
    const looked = await engine.call("look_at_approval", { approval_id });
    expect(looked.checks).toMatchObject([{ now: null }, { now: "red" }]);
    expect(looked.steps[0].preview).toMatchObject({ output: "", obstacle: expect.stringContaining("each task gives") });
    expect(looked.warnings).toEqual([expect.stringContaining("Check step 1 was not run")]);
    const { steps } = await engine.call("get_approval", { approval_id });
    expect(steps[1].environment).toEqual({
      ORCH_TARGET_SERVICE: target.service,
      ORCH_TARGET_COMPOSE_DIR: target.compose_dir,
    });
  });

  test("answers for a stored version as prove_sop does, and leaves its level", async () => {
    const target = await engine.aTarget();
    const { sop, approval } = await taught(target, [REACH, HONEST]);
    const looked = await engine.call("look_at_approval", { approval_id: approval.approval_id });
    const { proof } = await engine.call("prove_sop", { sop_id: sop.sop_id });
    expect([looked.checks, looked.steps]).toEqual([proof.checks, proof.steps]);
  });
});
