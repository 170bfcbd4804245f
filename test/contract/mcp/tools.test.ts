// Operations as tools: how they are listed, called and refused, by the official client over HTTP.
import { describe, expect, test } from "vitest";
import { SHAPES } from "../../../src/api/operations/shapes.ts";
import { ERROR_CODES } from "../../../src/domain/errors.ts";
import { jsonSchemaOf } from "../../../src/schema/json-schema.ts";
import { eachTime, held } from "../../support/held.ts";
import { APPROVER_TOKEN, bearer } from "../../support/http-endpoint.ts";
import { startMcp } from "../../support/mcp-endpoint.ts";
import { TOOL_SHAPES } from "../../support/tool-shapes.ts";

const start = eachTime(startMcp);
const shared = held(await startMcp());
const supervisor = held(await shared.connect());

const unbound = () => {
  throw new Error("is only listed");
};

const fieldsOf = (...schema: Parameters<typeof jsonSchemaOf>) => Object.keys(jsonSchemaOf(...schema).properties ?? {});

describe("the list of tools", () => {
  const listed = async () => {
    const { connect } = await start({ operations: SHAPES.map((shape) => ({ ...shape, handle: unbound })) });
    await using supervisor = await connect();
    return new Map(supervisor.tools.map((tool) => [tool.name, tool]));
  };

  test("holds every operation under its bare name, with schemas of objects and a title", async () => {
    const tools = await listed();
    expect([...tools.keys()]).toEqual(TOOL_SHAPES.map(({ name }) => name));
    for (const { name, summary, input, output } of TOOL_SHAPES) {
      const tool = tools.get(name);
      expect(tool?.description?.startsWith(summary), name).toBe(true);
      expect(tool?.title).toMatch(/^[A-Z][a-z]+( [a-z]+)*$/);
      expect(tool?.inputSchema.type).toBe("object");
      expect(tool?.outputSchema?.type).toBe("object");
      expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(expect.arrayContaining(fieldsOf(input, "input")));
      expect(fieldsOf(output, "output")).toEqual(
        expect.arrayContaining(Object.keys(tool?.outputSchema?.properties ?? {})),
      );
    }
  });

  test("has hints about the effects of each tool", async () => {
    const tools = await listed();
    const hints = (name: string) => tools.get(name)?.annotations;
    expect(hints("approve")).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
    expect(hints("submit_task")).toMatchObject({ readOnlyHint: false, idempotentHint: true, openWorldHint: true });
    expect(hints("get_task")).toEqual({ title: "Get task", readOnlyHint: true, openWorldHint: false });
    for (const { name, hints: known } of TOOL_SHAPES) {
      expect(hints(name)).toMatchObject({ readOnlyHint: known.read_only, openWorldHint: name === "submit_task" });
    }
  });

  test("has names that every host accepts", async () => {
    for (const name of (await listed()).keys()) expect(name).toMatch(/^[a-z_]{1,60}$/);
  });
});

describe("a tool", () => {
  test.each([
    ["orch__teach", { task_id: "t-1", steps: [{ kind: "check", value: "test -d /" }] }],
    ["orch__approve", { task_id: "t-1", decision: "approve" }],
  ])("is called by its specified name: %s [4.names]", async (name, input) => {
    const called: string[] = [];
    const handle = (shape: string) => () => {
      called.push(shape);
      throw new Error("is only called");
    };
    const { connect } = await start({ operations: SHAPES.map((shape) => ({ ...shape, handle: handle(shape.name) })) });
    await using supervisor = await connect();
    await supervisor.ask(name, input);
    expect([`orch__${called[0]}`, called.length]).toEqual([name, 1]);
  });

  test("answers with its structured output and the same as text", async () => {
    const { structuredContent, content, isError } = await supervisor.ask("get_thing", { thing_id: "x", kind: "a" });
    expect(structuredContent).toEqual({ thing_id: "x", kind: "a", count: 1, token_id: "supervisor" });
    expect(content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }]);
    expect(isError).toBeUndefined();
  });

  test("may be called with the prefix orch__, which hosts and prompts use", async () => {
    expect(await supervisor.call("orch__approve")).toEqual({ by: "supervisor" });
    expect(await supervisor.call("orch__get_thing", { thing_id: "x" })).toMatchObject({ thing_id: "x" });
    await expect(supervisor.call("orch__orch__approve")).rejects.toMatchObject({ code: -32602 });
  });

  test("that does not exist is a protocol error that lists the existing ones", async () => {
    await expect(supervisor.call("delete_thing")).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/There is no tool delete_thing\. There are: get_thing, .*break_promise\./),
    });
  });

  test("called with wrong fields names each of them and its problem", async () => {
    const wrong = { thing_id: "x", steps: [{ kind: "cmd", value: "" }], colour: "red" };
    expect(await supervisor.fault("change_thing", wrong)).toEqual({
      code: "input_invalid",
      detail: "steps.0.value must not be empty; colour is not a known field.",
      issues: [
        { path: "steps.0.value", message: "must not be empty" },
        { path: "colour", message: "is not a known field" },
      ],
    });
    expect(await supervisor.fault("submit_task")).toMatchObject({
      code: "contract_invalid",
      issues: [{ path: "task_id", message: "is required" }],
    });
  });

  test("that fails has no structured content, because a client would check it against the output schema", async () => {
    const { isError, structuredContent, content } = await supervisor.ask("change_thing");
    expect([isError, structuredContent, content.length]).toEqual([true, undefined, 1]);
  });

  test("limits the depth of its arguments as HTTP does", async () => {
    const { post } = shared;
    const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
    const contract = { task_id: "t", note: nested(31) };
    const { code, issues } = (await (await post("/v1/tasks", contract)).json()) as { code: string; issues: object[] };
    expect(await supervisor.fault("submit_task", contract)).toMatchObject({ code, issues });
    expect(code).toBe("contract_invalid");
    const flatter = { task_id: "t", note: nested(30) };
    expect((await post("/v1/tasks", flatter)).status).toBe(200);
    expect(await supervisor.call("submit_task", flatter)).toEqual({ task_id: "t" });
  });

  test("returns only the fields of its output schema", async () => {
    expect(await supervisor.call("leak")).toEqual({ shown: "yes" });
  });

  test.each(ERROR_CODES)("that fails with %s has the same error as over HTTP", async (code) => {
    const problem = (await (await shared.post("/v1/fail", { code })).json()) as Record<string, unknown>;
    const fault = await supervisor.fault("fail", { code });
    expect(fault.code).toBe(problem["code"]);
    expect(fault.issues).toEqual(problem["issues"]);
    expect(fault.current).toEqual(problem["current"]);
    if (Number(problem["status"]) < 500 || ["quarantined", "busy"].includes(code))
      expect(fault.detail).toBe(problem["detail"]);
    else expect(fault.detail).toMatch(/^This is not the caller's doing\. .* request_id [0-9a-f-]{36}\.$/);
  });

  test.each(["crash", "break_promise"])("that fails as %s reveals no internals and is logged", async (name) => {
    const fault = await supervisor.fault(name);
    expect(fault).toEqual({ code: "internal_error", detail: expect.any(String) });
    expect(fault.detail).not.toMatch(/SELECT|owner_token|srv/);
    const failed = shared.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50);
    const logged = failed.find(({ operation }) => operation === name);
    expect(logged).toMatchObject({ operation: name, msg: "a call over MCP failed", err: expect.any(Object) });
    expect(fault.detail).toContain(logged.request_id);
  });
});

describe("the token", () => {
  test("needs the scope of the tool", async () => {
    const { connect } = await start({ approver: true });
    await using supervisor = await connect();
    await using approver = await connect(APPROVER_TOKEN);
    expect(await supervisor.fault("approve")).toEqual({
      code: "forbidden",
      detail: "approve needs a token with the scope approve.",
    });
    expect(await approver.call("approve")).toEqual({ by: "approver" });
    expect((await approver.fault("submit_task", { task_id: "t" })).code).toBe("forbidden");
  });

  test("has one rate of submits for MCP and HTTP together [8.rate_limits]", async () => {
    const { connect, post } = await start({ limits: { submits: { amount: 3, per_ms: 60_000 } } });
    await using supervisor = await connect();
    expect((await post("/v1/tasks", { task_id: "t" })).status).toBe(200);
    await supervisor.call("submit_task", { task_id: "t" });
    await supervisor.call("orch__submit_task", { task_id: "t" });
    expect(await supervisor.fault("submit_task", { task_id: "t" })).toMatchObject({
      code: "rate_limited",
      detail: expect.stringMatching(/Try again in \d+ s\./),
    });
    expect((await post("/v1/tasks", { task_id: "t" })).status).toBe(429);
    expect(await supervisor.call("get_thing", { thing_id: "x" }), "nothing else is counted").toBeDefined();
  });

  test("has one rate of requests for MCP and HTTP together [8.rate_limits]", async () => {
    const { tool, get } = await start({ limits: { requests: { amount: 3, per_ms: 3_600_000 } } });
    expect((await tool("get_thing", { thing_id: "x" })).status).toBe(200);
    expect((await get("/v1/things/x")).status).toBe(200);
    expect((await tool("get_thing", { thing_id: "x" })).status).toBe(200);
    const refused = await tool("get_thing", { thing_id: "x" }, bearer());
    expect(await refused.text()).toContain("rate_limited");
  });
});

test("concurrent calls each get their own response", async () => {
  const names = Array.from({ length: 50 }, (_, n) => `thing-${n}`);
  const answers = await Promise.all(names.map((thing_id) => supervisor.call("get_thing", { thing_id })));
  expect(answers.map(({ thing_id }) => thing_id)).toEqual(names);
});
