// Arguments that a client sends as JSON text, over a real engine: some clients send every nested value so.
import { describe, expect, test } from "vitest";
import { check, cmd, contractBody } from "../../support/builders.ts";
import { openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import { startMcp } from "../../support/mcp-endpoint.ts";

const engine = held(await openEngine({ env: { ORCH_SOP_TOOLS: "on" } }));
const { operations, sop_tools } = engine;
const endpoint = held(await startMcp({ operations, sop_tools }));
const supervisor = held(await endpoint.connect());

let count = 0;
const contractOf = async (over: object) => {
  count += 1;
  const task_id = `nested-${count}`;
  await supervisor.call("submit_task", { ...contractBody({ delegation_mode: "known_only" }), task_id, ...over });
  return (await engine.store.findTask(task_id))?.contract;
};
const text = (value: unknown): string => JSON.stringify(value);
const constraints = { implicit_scope: ["cmd:git"], require_approval_for: ["deletes data"], max_minutes: 5 };

describe("a contract whose fields are sent as JSON text is read (promises 4.3)", () => {
  test.each<[string, object, object]>([
    ["an object", { target: text({ service: "q" }) }, { target: { service: "q" } }],
    ["an object with blanks around it", { target: ` ${text({ service: "q" })}\n` }, { target: { service: "q" } }],
    ["an empty object", { target: "{}" }, { target: {} }],
    ["an array", { success_criteria: text(["a", "b"]) }, { success_criteria: ["a", "b"] }],
    ["an empty array", { success_criteria: "[]" }, { success_criteria: [] }],
    ["an object in an object", { constraints: text(constraints) }, { constraints }],
    ["arrays in an object", { constraints: { ...constraints, implicit_scope: text(["cmd:git"]) } }, { constraints }],
    ["text in text", { constraints: text({ ...constraints, implicit_scope: text(["cmd:git"]) }) }, { constraints }],
    ["a number in an object", { constraints: { ...constraints, max_minutes: "5" } }, { constraints }],
    ["a number", { verify_within_hours: "1.5" }, { verify_within_hours: 1.5 }],
    ["a boolean", { skip_if_done: "true" }, { skip_if_done: true }],
    ["an object of free form", { payload: text({ a: "1", b: "[2]" }) }, { payload: { a: "1", b: "[2]" } }],
    [
      "texts in an object of free form",
      { payload: { a: '{"b":1}', c: "null" } },
      { payload: { a: '{"b":1}', c: "null" } },
    ],
    ["null in an object of free form", { payload: { a: null } }, { payload: { a: null } }],
    [
      "texts of a target",
      { target: { service: "5", zone: "true", note: "{}" } },
      { target: { service: "5", zone: "true", note: "{}" } },
    ],
    ["texts of an array", { success_criteria: ["5", "[]", "null"] }, { success_criteria: ["5", "[]", "null"] }],
    ["a text that is JSON", { requested_by: '{"a":1}' }, { requested_by: '{"a":1}' }],
    [
      "null for optional fields",
      { payload: null, runs_on: null, skip_if_done: null, requested_by: null },
      { payload: {} },
    ],
    [
      "null inside",
      { constraints: { ...constraints, max_minutes: null } },
      { constraints: { ...constraints, max_minutes: 10 } },
    ],
    ["a field that orch does not know", { extra: "[1]" }, { extra: "[1]" }],
  ])("%s", async (_name, over, wanted) => {
    const contract = await contractOf(over);
    expect(contract).toMatchObject(wanted);
    for (const [name, value] of Object.entries(over))
      if (value === null && name !== "requested_by") expect(contract?.[name] ?? {}).toEqual({});
  });

  test.each<[string, object, string, string]>([
    ["a field twice", { target: '{"service":"a","service":"b"}' }, "target.service", "twice"],
    [
      "a field twice inside",
      { constraints: '{"implicit_scope":[],"require_approval_for":[],"implicit_scope":["x"]}' },
      "constraints.implicit_scope",
      "twice",
    ],
    [
      "a field twice in another spelling",
      { target: '{"service":"a","s\\u0065rvice":"b"}' },
      "target.s\\u0065rvice",
      "twice",
    ],
    ["a number that changes", { payload: '{"id":12345678901234567890}' }, "payload.id", "send it as text"],
    ["a reserved key", { payload: '{"__proto__":{"a":1}}' }, "payload.__proto__", "reserved"],
    ["too deep", { payload: `${'{"a":'.repeat(40)}1${"}".repeat(40)}` }, "payload", "nested deeper"],
    ["a text that is no JSON", { target: "service=q" }, "target", "must be an object"],
    ["JSON of another kind", { target: "[]" }, "target", "must be an object"],
    ["JSON of a text", { target: text(text({ service: "q" })) }, "target", "must be an object"],
    ["JSON with more after it", { target: '{"service":"q"} x' }, "target", "must be an object"],
    ["a boolean in another case", { skip_if_done: "True" }, "skip_if_done", "true or false"],
    ["null for a field that is needed", { success_criteria: null }, "success_criteria", "must be an array"],
    ["null in a target", { target: { service: null } }, "target.service", "must be a string"],
  ])("%s is refused", async (_name, over, path, why) => {
    const input = { ...contractBody({ delegation_mode: "known_only" }), task_id: "nested-refused", ...over };
    const { code, issues } = await supervisor.fault("submit_task", input);
    expect(code).toBe("contract_invalid");
    expect(issues).toContainEqual({
      path: expect.stringMatching(new RegExp(`^${path.replaceAll("\\", "\\\\")}`)),
      message: expect.stringContaining(why),
    });
  });
});

const STEPS = [cmd("true"), check("test -d /")];
const CALL = { kind: "mcp_call", server: "memory", tool: "read", arguments: { name: "[1]", n: "2" } };

describe("steps that are sent as JSON text are read (promises 4.3)", () => {
  test.each<[string, object, object]>([
    ["all steps", { steps: text(STEPS) }, STEPS],
    ["each step", { steps: STEPS.map(text) }, STEPS],
    ["some steps", { steps: [text(STEPS[0]), STEPS[1]] }, STEPS],
    [
      "null for the fields of other kinds",
      { steps: text(STEPS.map((step) => ({ ...step, server: null, tool: null, expect: null }))) },
      STEPS,
    ],
    ["the arguments of a call", { steps: [{ ...CALL, arguments: text(CALL.arguments) }, STEPS[1]] }, [CALL, STEPS[1]]],
    ["a call as text", { steps: [text(CALL), STEPS[1]] }, [CALL, STEPS[1]]],
    [
      "what a call expects",
      { steps: [STEPS[0], { ...CALL, expect: text({ path: "/a", equals: "5" }) }] },
      [STEPS[0], { ...CALL, expect: { path: "/a", equals: "5" } }],
    ],
    ["a command that is JSON", { steps: [cmd("[]"), STEPS[1]] }, [cmd("[]"), STEPS[1]]],
    ["criteria", { steps: STEPS, criteria: text({ "it is there": 1 }) }, STEPS],
    ["a number of the criteria", { steps: STEPS, criteria: { "it is there": "1" } }, STEPS],
    [
      "null for optional fields",
      { steps: STEPS, criteria: null, preconditions: null, safety_level: null, task_id: null },
      STEPS,
    ],
  ])("%s", async (_name, over, steps) => {
    count += 1;
    const { sop } = await supervisor.call("teach", {
      intent: "deploy",
      target: text({ service: `taught-${count}` }),
      ...over,
    });
    expect((await engine.store.findSop(sop.sop_id))?.steps).toMatchObject(steps as object[]);
  });

  test("a procedure that is a tool takes its payload as text", async () => {
    await engine.plant("restart", { service: "tool" }, [cmd('echo "$ORCH_PAYLOAD" > payload'), check("test -d /")]);
    const { tools } = await supervisor.client.listTools();
    const name = tools.find((tool) => tool.name.startsWith("run_restart_service_tool"))?.name ?? "";
    const input = { task_id: "nested-tool", payload: text({ a: "[1]" }), wait_seconds: "30" };
    expect(await supervisor.call(name, input)).toMatchObject({ status: "ok" });
    expect((await engine.store.findTask("nested-tool"))?.contract.payload).toEqual({ a: "[1]" });
  });
});

test("over HTTP a field as JSON text is refused as before (promises 4.3)", async () => {
  const answer = await endpoint.post("/v1/tasks", {
    ...contractBody(),
    task_id: "nested-http",
    target: text({ service: "q" }),
  });
  expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ code: "contract_invalid" })]);
});
