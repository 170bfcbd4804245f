// Null and empty text for an optional field, which clients send that fill in every field: over MCP the field is absent, in every
// field of every tool. The rows are made from the published schemas.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { modelOperation } from "../../../src/api/mcp/tools.ts";
import { SHAPES } from "../../../src/api/operations/shapes.ts";
import { OrchError } from "../../../src/domain/errors.ts";
import type { Schema } from "../../../src/schema/json-schema.ts";
import { flatSchemaOf } from "../../../src/schema/json-schema.ts";
import { check, cmd } from "../../support/builders.ts";
import { type Engine, openEngine } from "../../support/engine.ts";
import type { Found, McpSupervisor } from "../../support/mcp-client.ts";
import { type RunningMcp, startMcp } from "../../support/mcp-endpoint.ts";

/** Each answers with the input that it got. */
const OPERATIONS = SHAPES.filter((shape) => !("no_tool" in shape)).map((shape) => ({
  ...shape,
  handle: async (input: object): Promise<never> => {
    throw new OrchError("input_invalid", "as it was read", { current: { ...input } });
  },
}));

/** An optional field, and what makes a call of the value of the object that holds it. */
type Place = { readonly field: string; readonly callOf: (object: object) => object };

function* optionalFields(schema: Schema, path: string, callOf: Place["callOf"]): Generator<Place> {
  const { properties = {}, required = [] } = schema;
  for (const [name, field] of Object.entries(properties)) {
    const at = `${path}.${name}`;
    if (!required.includes(name)) yield { field: at, callOf };
    yield* optionalFields(field, at, (object) => callOf({ [name]: object }));
    const { items } = field as { readonly items?: Schema };
    const kinds = items?.properties?.["kind"]?.["enum"];
    for (const kind of Array.isArray(kinds) ? kinds : [])
      yield* optionalFields(items as Schema, `${at}.${kind}`, (object) => callOf({ [name]: [{ kind, ...object }] }));
  }
}

const PLACES = OPERATIONS.flatMap((operation) => [
  ...optionalFields(flatSchemaOf(modelOperation(operation).input), operation.name, (object) => object),
]);

/** What was read, or the fields that are wrong: one that its kind of step needs is, in other words than an absent one. */
const readOf = ({ current, issues = [] }: Found): object => ({
  current,
  wrong: new Set(issues.map(({ path }: { path: string }) => path)),
});

describe("over MCP", () => {
  let endpoint: RunningMcp;
  let supervisor: McpSupervisor;
  beforeAll(async () => {
    endpoint = await startMcp({ operations: OPERATIONS });
    supervisor = await endpoint.connect();
  });
  afterAll(async () => {
    await supervisor[Symbol.asyncDispose]();
    await endpoint.stop();
  });

  test("the rows hold the fields of every tool that has an optional one, also inside of contracts and steps", () => {
    const fields = PLACES.map(({ field }) => field);
    for (const one of ["approve.task_id", "submit_task.constraints.max_minutes", "teach.steps.mcp_call.reconcile"])
      expect(fields).toContain(one);
    expect(fields.length).toBeGreaterThan(150);
  });

  test.each(PLACES)("$field is absent as null and as empty text", async ({ field, callOf }) => {
    const [tool = ""] = field.split(".");
    const name = field.slice(field.lastIndexOf(".") + 1);
    const absent = readOf(await supervisor.fault(tool, callOf({})));
    for (const empty of [null, ""])
      expect(readOf(await supervisor.fault(tool, callOf({ [name]: empty })))).toEqual(absent);
  });

  test("a text that is needed keeps its error", async () => {
    const { issues } = await supervisor.fault("submit_task", { task_id: "", intent: "", target: { service: "a" } });
    expect(issues.map(({ path }: { path: string }) => path)).toEqual(expect.arrayContaining(["task_id", "intent"]));
  });

  test("a field that takes any value keeps an empty text", async () => {
    const call = { kind: "mcp_call", server: "memory", tool: "read", arguments: { name: "" }, expect: { equals: "" } };
    const { current } = await supervisor.fault("teach", {
      intent: "deploy",
      target: { service: "a" },
      task_id: "",
      steps: [call],
    });
    expect(current.steps).toMatchObject([{ arguments: { name: "" }, expect: { equals: "" } }]);
  });
});

describe("a client in strict mode, which sends all fields", () => {
  let engine: Engine;
  let endpoint: RunningMcp;
  beforeAll(async () => {
    engine = await openEngine();
    endpoint = await startMcp({ operations: engine.operations });
  });
  afterAll(async () => {
    await endpoint.stop();
    await engine[Symbol.asyncDispose]();
  });

  test("teaches, and approves the promotion", async () => {
    await using supervisor = await endpoint.connect();
    const others = { server: "", tool: "", within: "", preview: "", reconcile: "", arguments: "", expect: "" };
    const { sop, approval_id } = await supervisor.call("teach", {
      task_id: "",
      intent: "deploy",
      target: { service: "strict" },
      safety_level: "",
      wait_seconds: 30,
      steps: [cmd("true"), check("test -d /")].map((step) => ({ ...step, ...others })),
    });
    const given = { approval_id, task_id: "", digest: "", reason: "", decided_by: "", wait_seconds: "" };
    expect(await supervisor.call("approve", { decision: "approve", ...given })).toMatchObject({ status: "approved" });
    expect(await engine.store.findSop(sop.sop_id)).toMatchObject({ status: "active" });
  });

  test.each([null, ""])("over HTTP %j for an optional field is refused as before", async (task_id) => {
    const answer = await endpoint.post("/v1/approve", { decision: "approve", task_id });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ issues: [expect.objectContaining({ path: "task_id" })] }),
    ]);
  });
});
