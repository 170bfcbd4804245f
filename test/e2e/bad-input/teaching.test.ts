// Answers that do not fit the question: bad steps, and answers that nothing waits for. The task goes on waiting, or stays
// as it ended.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { linesOf } from "../../support/orch-process.ts";
import { soundServer } from "./sound-server.ts";

const { orch, data_dir } = soundServer();

const check = (value: string) => ({ kind: "check", value });
const cmd = (value: string) => ({ kind: "cmd", value });
const GOOD = [check("true")];

/** A task with a target of its own, once it has settled. */
const submit = (task_id: string, over: object = {}) =>
  orch().post("/v1/tasks", contractBody({ task_id, target: { service: task_id }, wait_seconds: 30, ...over }));
const teach = (task_id: string, steps: unknown, over: object = {}) =>
  orch().post("/v1/teach", { task_id, steps, wait_seconds: 30, ...over });
const statusOf = async (task_id: string) => (await orch().get(`/v1/tasks/${task_id}?wait_seconds=30`)).body.status;

describe("steps", () => {
  const LONG = 65_536;

  test.each<[string, string, unknown]>([
    ["no steps", "steps", undefined],
    ["no step at all", "steps", []],
    ["text for steps", "steps", "true"],
    ["an object for steps", "steps", { 0: cmd("true") }],
    ["10,000 steps", "steps", Array(10_000).fill(check("true"))],
    ["a text for a step", "steps.0", ["true"]],
    ["null for a step", "steps.0", [null]],
    ["a step of no kind", "steps.0.kind", [{ value: "true" }]],
    ["a step of an unknown kind", "steps.0.kind", [{ kind: "shell", value: "true" }]],
    ["a command without text", "steps.0.value", [{ kind: "cmd" }]],
    ["a number for a command", "steps.0.value", [{ kind: "cmd", value: 1 }]],
    ["an empty command", "steps.0.value", [cmd("")]],
    ["a blank command", "steps.0.value", [cmd(" \t\n")]],
    ["NUL in a command", "steps.0.value", [cmd("echo a\0b")]],
    ["NUL in a check", "steps.0.value", [check(`true\0`)]],
    ["64 KiB of command", "steps.0.value", [cmd(`: ${"x".repeat(LONG)}`)]],
    ["64 KiB of check", "steps.0.value", [check(`: ${"x".repeat(LONG)}`)]],
    ["an empty wait", "steps.0.value", [{ kind: "wait", value: "" }]],
    ["a wait of parsecs", "steps.0.value", [{ kind: "wait", value: "5 parsecs" }]],
    ["a wait of 61 minutes", "steps.0.value", [{ kind: "wait", value: "61m" }]],
    ["a call of no server", "steps.0.server", [{ kind: "mcp_call", tool: "read" }]],
    ["a call of no tool", "steps.0.tool", [{ kind: "mcp_call", server: "notes", tool: "" }]],
    ["a call with a command", "steps.0.value", [{ kind: "mcp_call", server: "notes", tool: "read", value: "rm" }]],
    [
      "an array for arguments",
      "steps.0.arguments",
      [{ kind: "mcp_call", server: "notes", tool: "read", arguments: [] }],
    ],
    ["a field that steps do not have", "steps.0.timeout", [{ ...cmd("true"), timeout: 5 }]],
    ["one bad step behind a good one", "steps.1.value", [check("true"), cmd("")]],
  ])("such as %s are refused at %s, and the task goes on waiting", async (_title, path, steps) => {
    if ((await orch().get("/v1/tasks/pupil")).status === 404) await submit("pupil");
    const { status, body } = await teach("pupil", steps);
    expect(status).toBe(400);
    expect(body.code).toBe("input_invalid");
    expect([...new Set(body.issues.map((issue: { path: string }) => issue.path))]).toEqual([path]);
    expect(await statusOf("pupil")).toBe("need_input");
  });

  test("that prove no criterion are refused by its name, and the right ones are taken afterwards", async () => {
    await submit("late", { success_criteria: ["it answers", "it is new"] });
    const { status, body } = await teach("late", GOOD);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: "sop_steps_invalid", issues: [{ path: "steps" }] });
    expect(body.issues[0].message).toContain('"it is new"');
    expect((await teach("late", [...GOOD, ...GOOD])).body.task).toMatchObject({ status: "ok" });
  });

  test("run at their greatest length", async () => {
    await submit("long");
    const value = `true ${"x".repeat(16_384 - 5)}`;
    expect((await teach("long", [check(value)])).body.task).toMatchObject({ status: "ok" });
  });

  test.each([
    ["without a task, intent and target", {}, 400, "task_id"],
    ["with both a task and an intent", { task_id: "pupil", intent: "deploy" }, 400, "task_id"],
    ["for an intent nobody knows", { intent: "dance" }, 422, "intent"],
    ["for a target that is none", { intent: "deploy", target: { Service: 1 } }, 400, "target.Service"],
  ])("%s are refused and no SOP is stored", async (_title, over, expected, path) => {
    const { status, body } = await orch().post("/v1/teach", { steps: GOOD, ...over });
    expect(status).toBe(expected);
    expect(body.issues).toMatchObject([{ path }]);
    const { sops } = (await orch().get("/v1/sops")).body;
    expect(sops.filter(({ origin }: { origin: string }) => origin === "teach")).toEqual([]);
  });
});

describe("an SOP file", () => {
  const GOOD_FILE = "intent: deploy\ntarget: { service: x }\nsteps: [{ kind: check, value: 'true' }]\n";

  test.each([
    ["that is no YAML", "intent: [", 400],
    ["that is a sentence", "just deploy it", 400],
    ["that nests 10,000 deep", `steps: ${"[".repeat(10_000)}${"]".repeat(10_000)}`, 400],
    ["that says a thing twice", `${GOOD_FILE}intent: restart\n`, 400],
    ["with an alias", GOOD_FILE.replace("steps: [", "steps: [*a, ").replace("target: ", "target: &a "), 400],
    ["with half of a surrogate pair", GOOD_FILE.replace("service: x", 'service: "\\uD800"'), 400],
    ["with a reserved key", `${GOOD_FILE}__proto__: { steps: [] }\n`, 400],
    ["without an intent", GOOD_FILE.replace("intent: deploy", ""), 400],
    ["whose steps hold NUL", GOOD_FILE.replace("'true'", '"a\\0b"'), 400],
  ])("%s is refused", async (_title, file, expected) => {
    const { status, body } = await orch().post("/v1/sops/import", { file });
    expect(status).toBe(expected);
    expect(body.code).toBe("input_invalid");
    expect(body.issues.length).toBeGreaterThan(0);
  });
});

describe("an answer that nothing waits for", () => {
  const refused = (code: string, current: object) => ({ status: 409, body: { code, current } });

  test("to a task that nobody knows is answered 404", async () => {
    for (const path of ["/v1/tasks/nobody/resolve", "/v1/tasks/nobody/cancel", "/v1/tasks/nobody/verification"]) {
      const body = path.endsWith("resolve") ? { resolution: "retry" } : { verified: true, source: "probe" };
      const answer = await orch().post(path, path.endsWith("cancel") ? {} : body);
      expect(answer).toMatchObject({ status: 404, body: { code: "task_not_found" } });
    }
    expect(await teach("nobody", GOOD)).toMatchObject({ status: 404, body: { code: "task_not_found" } });
  });

  test("to a task that has ended is answered 409 with how it ended", async () => {
    await submit("ended");
    await teach("ended", GOOD);
    const current = { task_id: "ended", status: "ok" };
    expect(await teach("ended", GOOD)).toMatchObject(refused("task_not_waiting", current));
    const resolve = await orch().post("/v1/tasks/ended/resolve", { resolution: "retry" });
    expect(resolve).toMatchObject(refused("task_not_waiting", current));
    const cancel = await orch().post("/v1/tasks/ended/cancel", {});
    expect(cancel).toMatchObject(refused("task_ended", current));
    expect(await statusOf("ended")).toBe("ok");
  });

  test("to a task that waits for something else is answered 409", async () => {
    await submit("waiting");
    const current = { task_id: "waiting", status: "need_input" };
    const resolve = await orch().post("/v1/tasks/waiting/resolve", { resolution: "succeeded" });
    expect(resolve).toMatchObject(refused("task_not_waiting", current));
    const verify = await orch().post("/v1/tasks/waiting/verification", { verified: true, source: "probe" });
    expect(verify).toMatchObject(refused("task_not_ended", current));
    const approve = await orch().post("/v1/approve", { decision: "approve", task_id: "waiting" });
    expect(approve).toMatchObject({ status: 404, body: { code: "approval_not_found" } });
  });

  test("to a task that runs is answered 409, and a cancelled one may be cancelled again", async () => {
    await submit("busy");
    const begun = join(data_dir(), "busy-begun");
    await teach("busy", [cmd(`touch "${begun}"; sleep 30`), ...GOOD], { wait_seconds: 0 });
    await expect.poll(() => statusOf0("busy")).toBe("running");
    expect(await teach("busy", GOOD)).toMatchObject(refused("task_not_waiting", { status: "running" }));
    for (const _twice of [1, 2]) {
      const cancel = await orch().post("/v1/tasks/busy/cancel", { reason: "enough" });
      expect(cancel).toMatchObject({ status: 200, body: { status: "cancelled" } });
    }
  });

  const statusOf0 = async (task_id: string) => (await orch().get(`/v1/tasks/${task_id}`)).body.status;

  test("taught twice at once is taken once, and only those steps run", async () => {
    const ran = join(data_dir(), "taught-twice");
    for (const round of [1, 2, 3, 4, 5]) {
      const task_id = `twice-${round}`;
      await submit(task_id);
      const lesson = (who: string) => teach(task_id, [cmd(`echo ${task_id} ${who} >> "${ran}"`), ...GOOD]);
      const answers = await Promise.all([lesson("first"), lesson("second")]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const [taken, late] = answers.toSorted((a, b) => a.status - b.status);
      expect(taken?.body.task.status).toBe("ok");
      expect(late?.body.code).toBe("task_not_waiting");
      expect(late?.body.current.status, "the row as it is now").not.toBe("need_input");
      expect(linesOf(ran)).toHaveLength(round);
    }
  });
});

test("an update_sop contract whose payload is none is blocked, and the SOP stays as it is", async () => {
  const before = (await orch().get("/v1/sops?limit=500")).body;
  const answer = await submit("update", { intent: "update_sop", payload: { steps: [cmd("")] } });
  expect(answer.body).toMatchObject({ status: "blocked", outcome: { reason_code: "update_invalid" } });
  expect((await orch().get("/v1/sops?limit=500")).body).toEqual(before);
});
