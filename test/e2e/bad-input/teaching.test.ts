import { describe, expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { soundServer } from "./sound-server.ts";

const { orch } = soundServer();

const check = (value: string) => ({ kind: "check", value });
const cmd = (value: string) => ({ kind: "cmd", value });
const GOOD = [check("test -d /")];

/** A task with a target of its own, once it has settled. */
const submit = (task_id: string, over: object = {}) =>
  orch().post("/v1/tasks", contractBody({ task_id, target: { service: task_id }, wait_seconds: 30, ...over }));
const teach = (task_id: string, steps: unknown, over: object = {}) =>
  orch().post("/v1/teach", { task_id, steps, wait_seconds: 30, ...over });
const statusOf = async (task_id: string) => (await orch().get(`/v1/tasks/${task_id}?wait_seconds=30`)).body.status;

describe("steps", () => {
  test.each<[string, string, unknown]>([
    ["no steps", "steps", undefined],
    ["text for steps", "steps", "true"],
    ["an object for steps", "steps", { 0: cmd("true") }],
    ["a text for a step", "steps.0", ["true"]],
    ["null for a step", "steps.0", [null]],
    ["a step of no kind", "steps.0.kind", [{ value: "true" }]],
    ["a command without text", "steps.0.value", [{ kind: "cmd" }]],
    ["a number for a command", "steps.0.value", [{ kind: "cmd", value: 1 }]],
    ["a blank command", "steps.0.value", [cmd(" \t\n")]],
    ["an empty wait", "steps.0.value", [{ kind: "wait", value: "" }]],
    ["a call of no tool", "steps.0.tool", [{ kind: "mcp_call", server: "notes", tool: "" }]],
    [
      "an array for arguments",
      "steps.0.arguments",
      [{ kind: "mcp_call", server: "notes", tool: "read", arguments: [] }],
    ],
    ["one bad step behind a good one", "steps.1.value", [check("test -d /"), cmd("")]],
  ])("such as %s are refused at %s, and the task goes on waiting", async (_title, path, steps) => {
    if ((await orch().get("/v1/tasks/pupil")).status === 404) await submit("pupil");
    const { status, body } = await teach("pupil", steps);
    expect(status).toBe(400);
    expect(body.code).toBe("input_invalid");
    expect([...new Set(body.issues.map((issue: { path: string }) => issue.path))]).toEqual([path]);
    expect(await statusOf("pupil")).toBe("need_input");
  });

  test("run at their greatest length", async () => {
    await submit("long");
    const value = `test -d / -o ${"x".repeat(16_384 - 13)}`;
    expect((await teach("long", [check(value)])).body.task).toMatchObject({ status: "ok" });
  });

  test.each([
    ["without a task, intent and target", {}, 400, "task_id"],
    ["for an unknown intent", { intent: "dance" }, 400, "intent"],
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
  const GOOD_FILE = "intent: deploy\ntarget: { service: x }\nsteps: [{ kind: check, value: 'test -d /' }]\n";

  test.each([
    ["that is no YAML", "intent: [", 400],
    ["without an intent", GOOD_FILE.replace("intent: deploy", ""), 400],
    ["whose steps hold NUL", GOOD_FILE.replace("'test -d /'", '"a\\0b"'), 400],
  ])("%s is refused", async (_title, file, expected) => {
    const { status, body } = await orch().post("/v1/sops/import", { file });
    expect(status).toBe(expected);
    expect(body.code).toBe("input_invalid");
    expect(body.issues.length).toBeGreaterThan(0);
  });
});
