// get_approval: what a human sees beside the content of an approval (D-340).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const get = async (approval_id: string) => engine.call("get_approval", { approval_id });
const STEPS = (name: string) => [cmd(`echo x >> ${name}`), cmd("cat /etc/hostname"), check("test -d /")];

describe("the approval of a plan", () => {
  test("has what each step does and reaches, and that the steps are those of the version in use", async () => {
    const target = engine.targetOf("plan");
    const sop = await engine.learn("deploy", target, STEPS("plan"), {
      safety_level: "approval_required",
      criteria: { "the plan has run": 2 },
    });
    await engine.run("plan", { delegation_mode: "known_only" });
    const asked = await engine.approvalOf("plan");
    const shown = await get(asked.approval_id);
    expect(shown.approval).toEqual(asked);
    expect(shown.steps.map(({ command, change }: never) => [command, change])).toEqual([
      ["echo x >> plan", "changes"],
      ["cat /etc/hostname", "looks"],
      ["test -d /", "looks"],
    ]);
    expect(shown.counts).toEqual({ looks: 2, changes: 1, cannot_tell: 0 });
    expect(shown.steps[0]).toMatchObject({
      index: 0,
      kind: "cmd",
      verdict: "ask",
      proves: [],
      blast: { paths: [`${target["compose_dir"]}/plan`] },
      environment: { ORCH_TASK_ID: "plan" },
    });
    expect(shown.steps[2].proves).toEqual(["the plan has run"]);
    expect(shown.checks).toMatchObject([{ step_index: 2, now: null }]);
    expect(shown.compared_with).toEqual({
      sop_id: sop.sop_id,
      version: 1,
      status: "active",
      same: true,
      diff: [],
      terms: [],
    });
    expect(shown.sop).toMatchObject({ sop_id: sop.sop_id, version: 1, record: { runs: 0, passed: 0 } });
    expect(shown.task).toMatchObject({ task_id: "plan", status: "need_approval" });
    expect(shown.asked_by).toContain('"brain" with task plan');
    await engine.call("approve", { approval_id: asked.approval_id, decision: "reject" });
  });
});

describe("the approval of a promotion", () => {
  const versionOf = async (steps: readonly object[]) => {
    const target = engine.targetOf("promotion");
    return engine.call("teach", { intent: "restart", target, steps });
  };

  test("compares with the last version that was approved, and with none that was refused", async () => {
    const first = await versionOf(STEPS("one"));
    expect((await get(first.approval_id)).compared_with).toBeNull();
    await engine.call("approve", { approval_id: first.approval_id, decision: "approve" });
    const refused = await versionOf(STEPS("two"));
    await engine.call("approve", { approval_id: refused.approval_id, decision: "reject" });
    const third = await versionOf(STEPS("three"));
    const { compared_with, sop, task, asked_by, checks } = await get(third.approval_id);
    expect(compared_with).toMatchObject({ version: 1, status: "active", same: false });
    expect(compared_with.diff).toEqual([
      { is: "removed", step_index: 0, step: "cmd echo x >> one" },
      { is: "added", step_index: 0, step: "cmd echo x >> three" },
    ]);
    expect([sop.version, sop.status, task]).toEqual([3, "candidate", null]);
    expect(asked_by).toBe("The promotion of version 3, which was taught or imported.");
    expect(checks).toEqual((await get(third.approval_id)).approval.content.proof.checks);
    await engine.call("approve", { approval_id: third.approval_id, decision: "reject" });
    expect((await get(third.approval_id)).compared_with).toMatchObject({ version: 1 });
  });
});

describe("what is new", () => {
  const target = () => engine.targetOf("terms");
  const PROVES = (step_index: number) => ({ criteria: { "it is there": step_index } });
  const steps = [...STEPS("terms"), check("test -d /etc")];

  test("is also which check proves what, the safety level and the preconditions, where the steps are the same", async () => {
    await engine.learn("deploy", target(), steps, PROVES(2));
    const terms = { ...PROVES(3), safety_level: "approval_required", preconditions: ["it is plugged in"] };
    const { approval_id } = await engine.call("teach", { intent: "deploy", target: target(), steps, ...terms });
    const { compared_with } = await get(approval_id);
    expect(compared_with).toMatchObject({ version: 1, status: "active", same: false, diff: [] });
    expect(compared_with.terms).toEqual([
      { is: "removed", of: "criteria", text: "step 2: it is there" },
      { is: "removed", of: "safety_level", text: "standard" },
      { is: "added", of: "criteria", text: "step 3: it is there" },
      { is: "added", of: "safety_level", text: "approval_required" },
      { is: "added", of: "preconditions", text: "it is plugged in" },
    ]);
    await engine.call("approve", { approval_id, decision: "reject" });
  });

  test("is nothing in the only version, which was set back: it was in use as it is", async () => {
    const own = engine.targetOf("set-back");
    const { sop_id } = await engine.learn("restart", own, [cmd("echo x > x"), check("test -s x")]);
    await engine.run("set-back", { intent: "restart", target: own, delegation_mode: "known_only" });
    await engine.call("record_verification", { task_id: "set-back", verified: false, source: "the page" });
    const { approval_id } = await engine.approvalOf(`promotion/${sop_id}/2`);
    expect((await get(approval_id)).compared_with).toMatchObject({
      sop_id,
      version: 1,
      status: "candidate",
      same: true,
    });
    await engine.call("approve", { approval_id, decision: "reject" });
  });
});

test("an approval that is not there is named", async () => {
  expect(await engine.refusal("get_approval", { approval_id: "none" })).toMatchObject({ code: "approval_not_found" });
});

describe("a session of the console", () => {
  const asks = async (name: string) => {
    const version = { intent: "restart", target: engine.targetOf(name), steps: STEPS(name) };
    return (await engine.call("teach", version)).approval_id;
  };

  test.each([
    ["ada", "is that of who decided also where another is sent", "ada"],
    [null, "is on record as none where none was given, also where one is sent", null],
  ])("with the name %j decides on what it was shown, and its name %s", async (name, _is, decided_by) => {
    const caller = { token_id: "supervisor", at_console: { name }, signal: new AbortController().signal };
    const approval_id = await asks(`console-${name}`);
    const blind = engine.call("approve", { approval_id, decision: "reject" }, caller);
    await expect(blind).rejects.toMatchObject({ code: "input_invalid", issues: [{ path: "digest" }] });
    const { approval } = await engine.call("get_approval", { approval_id });
    const decision = { approval_id, decision: "reject", digest: approval.digest, decided_by: "bea" };
    expect((await engine.call("approve", decision, caller)).decision.decided_by).toBe(decided_by);
  });
});
