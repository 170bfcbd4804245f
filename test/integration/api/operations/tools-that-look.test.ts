// Tool calls that may only look: those of the four diagnostic intents, and checks (D-187, D-188).
import { describe, expect, test } from "vitest";
import { mcpCall } from "../../../support/builders.ts";
import { openEngine } from "../../../support/engine.ts";
import { held } from "../../../support/held.ts";
import { startSdkServer } from "../../../support/tool-server.ts";

const notes = held(await startSdkServer());
const engine = held(await openEngine({ env: { MCP_NOTES_URL: notes.url, MCP_NOTES_TOKEN: "a-token" } }));

const call = (tool: string, args: object = {}, expected?: object) =>
  mcpCall({ server: "notes", tool, arguments: args as never, ...(expected && { expect: expected as never }) });
const adds = (expected?: object) => call("add", { a: 1, b: 2 }, expected);
const SCOPE = { constraints: { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 } };
const THREE = { equals: 3 };
const INTENTS = ["triage", "health_check", "collect_logs", "bootstrap_context"];

const taught = (name: string, intent: string, steps: readonly object[]) =>
  engine
    .run(name, { intent, ...SCOPE, success_criteria: [] })
    .then(() => engine.call("teach", { task_id: name, steps, wait_seconds: 30 }));

describe.each(INTENTS)("under the intent %s a tool", (intent) => {
  test("that is marked to read only runs [2.intent.diagnostic_tools]", async () => {
    const { task } = await taught(`reads-${intent}`, intent, [adds(THREE)]);
    expect(task).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
  });

  test("that is marked destructive is not taught, with a task or without [2.intent.diagnostic_tools]", async () => {
    await engine.run(`destroys-${intent}`, { intent, ...SCOPE, success_criteria: [] });
    const steps = [call("drop"), adds(THREE)];
    const refusals = [
      await engine.refusal("teach", { task_id: `destroys-${intent}`, steps }),
      await engine.refusal("teach", { intent, target: { service: "x" }, steps }),
    ];
    for (const { code, issues } of refusals) {
      expect(code).toBe("sop_steps_invalid");
      expect(issues).toMatchObject([{ path: "steps.0", message: expect.stringContaining("tool.changes_state") }]);
    }
  });

  test("that says nothing of itself is asked about, and runs once it is approved", async () => {
    const name = `unmarked-${intent}`;
    const { task } = await taught(name, intent, [call("soft"), adds(THREE)]);
    expect(task).toMatchObject({
      status: "need_approval",
      outcome: { findings: [{ step_index: 0, verdict: "ask", code: "tool.unknown_effect" }] },
    });
  });
});

describe("steps of tool calls only (promises 4.13)", () => {
  test.each([
    ["equals", adds(THREE)],
    ["contains", adds({ contains: "3" })],
    ["equals at a path", adds({ path: "", equals: 3 })],
  ])("are taught with a check that says what it expects: %s", async (how, check) => {
    const { task, sop } = await taught(`calls-${how.replaceAll(" ", "-")}`, "deploy", [
      call("create", { name: "x" }),
      check,
    ]);
    expect([task.status, sop?.status]).toEqual(["ok", "candidate"]);
  });

  test("are refused without one, with how to write it", async () => {
    await engine.run("calls-only", { ...SCOPE, success_criteria: [] });
    const { issues } = await engine.refusal("teach", {
      task_id: "calls-only",
      steps: [call("create", { name: "x" }), adds()],
    });
    expect(issues).toEqual([{ path: "steps", message: expect.stringContaining("with expect: {path, equals}") }]);
  });
});

test("a destructive tool in an active SOP of a diagnostic intent is blocked before any step runs", async () => {
  await engine.plant("triage", engine.targetOf("planted"), [adds(), call("drop")]);
  const before = notes.called.length;
  const task = await engine.run("planted", { intent: "triage", delegation_mode: "known_only", ...SCOPE });
  expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "read_only_intent", step_index: 1 } });
  expect(notes.called.length).toBe(before);
});

describe("a tool that says something else than when it was judged", () => {
  const turns = () => notes.called.filter(({ tool }) => tool === "turn").length;

  test("does not run in an active SOP once its server marks it destructive", async () => {
    notes.turn({ readOnlyHint: true });
    const over = { intent: "triage", delegation_mode: "known_only", ...SCOPE };
    const target = engine.targetOf("turned");
    await engine.plant("triage", target, [call("turn"), adds(THREE)]);
    expect(await engine.run("turned", { ...over, target })).toMatchObject({ status: "ok" });
    const before = turns();
    notes.turn({ destructiveHint: true });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await engine.run("turned-2", { ...over, target })).toMatchObject({
      status: "blocked",
      outcome: { reason_code: "read_only_intent" },
    });
    expect(turns()).toBe(before);
  });

  test("does not run by an approval that was given for what it said before", async () => {
    notes.turn({});
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const { task } = await taught("turned-late", "triage", [call("turn"), adds(THREE)]);
    expect(task.status).toBe("need_approval");
    const before = turns();
    notes.turn({ destructiveHint: true });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const { approval_id } = await engine.approvalOf("turned-late");
    await engine.call("approve", { approval_id, decision: "approve" });
    expect(await engine.outcomeOf("turned-late")).toMatchObject({
      status: "blocked",
      outcome: { reason_code: "approval_stale" },
    });
    expect(turns()).toBe(before);
  });
});

test("an intent that may change something calls a destructive tool without a question", async () => {
  const { task } = await taught("changes", "deploy", [call("drop"), adds(THREE)]);
  expect(task).toMatchObject({ status: "ok" });
});

describe("a tool call with an expectation", () => {
  test("is a check: a procedure of tool calls needs no shell [4.teach] [3.rule.3]", async () => {
    await engine.run("expected", { ...SCOPE, success_criteria: ["three comes of it"] });
    const { task } = await engine.call("teach", {
      task_id: "expected",
      steps: [call("set", { value: 1 }), adds(THREE)],
      wait_seconds: 30,
    });
    expect(task).toMatchObject({ status: "ok" });
    const { verdict, executed_commands } = await engine.call("get_evidence", { task_id: "expected" });
    expect(verdict.checks).toEqual([{ step_index: 1, criterion: "three comes of it", passed: true, exit_code: 0 }]);
    expect(executed_commands[1]).toBe('notes.add {"a":1,"b":2} expect {"equals":3,"path":""}');
  });

  test("fails the task when the result is another one [3.rule.3.failed]", async () => {
    const { task } = await taught("unexpected", "deploy", [adds({ equals: 4 })]);
    expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed" } });
    const { step_results } = await engine.call("get_evidence", { task_id: "unexpected" });
    expect(step_results).toMatchObject([{ exit_code: 1, stderr: "the result is 3, and 4 was expected" }]);
  });

  test("compares with a parameter of the contract", async () => {
    const over = { ...SCOPE, success_criteria: [], payload: { sum: 3 } };
    await engine.run("parameter", over);
    const steps = [adds({ equals: "$".concat("{payload.sum}") })];
    const { task } = await engine.call("teach", { task_id: "parameter", steps, wait_seconds: 30 });
    expect(task).toMatchObject({ status: "ok" });
  });

  test("is refused where its tool changes something", async () => {
    await engine.run("no-check", { ...SCOPE, success_criteria: [] });
    const { issues } = await engine.refusal("teach", {
      task_id: "no-check",
      steps: [call("drop", {}, { contains: "x" })],
    });
    expect(issues).toMatchObject([{ path: "steps.0", message: expect.stringContaining("tool.changes_state") }]);
  });

  test.each([
    ["neither equals nor contains", {}],
    ["both", { equals: 1, contains: "1" }],
    ["a path that is no JSON pointer", { path: "state", equals: 1 }],
  ])("is refused with %s", async (_, expected) => {
    const steps = [{ ...adds(), expect: expected }];
    await expect(engine.call("teach", { intent: "deploy", target: {}, steps })).rejects.toThrow(/expect/);
  });
});
