// What the flow's script is given need not be a plan: then it says what is wrong, runs nothing, and does not throw.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startFlowJob } from "../../../../../test/simulators/flow-engine/flow-job.ts";
import { FlowOutput } from "../../../../domain/run-request.ts";
import { main } from "../../../flow/f/orch/execute_task_steps.flow/run_steps.ts";
import { argumentsFor } from "./a-job.ts";

const sound = argumentsFor([{ kind: "cmd", value: "true" }]);
const { task_contract } = sound;

/** Text of JSON, as the engine hands it over: a key may then be `__proto__`. */
const deep = JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`);

const expectRefusal = async (task_contract: unknown, steps: unknown, context: unknown): Promise<string> => {
  const output = FlowOutput.parse(await main(task_contract, steps, context));
  expect(output).toMatchObject({ ok: false, step_results: [], evidence: { executed_commands: [], key_outputs: [] } });
  expect(output.summary).toMatch(/^nothing was run: /);
  return output.summary;
};

describe("no plan, because of", () => {
  test.each<[string, unknown, string]>([
    ["nothing", undefined, "task_contract"],
    ["null", null, "task_contract"],
    ["text", "{}", "task_contract"],
    ["a list", [], "task_contract"],
    ["no id", { ...task_contract, task_id: undefined }, "task_id"],
    ["an id that is a number", { ...task_contract, task_id: 7 }, "task_id"],
    ["no target", { ...task_contract, target: undefined }, "target"],
    ["a target of numbers", { ...task_contract, target: { port: 80 } }, "target"],
    ["a payload that is a list", { ...task_contract, payload: [1] }, "payload"],
    ["constraints that are text", { ...task_contract, constraints: "none" }, "max_minutes"],
    ["no time at all", { ...task_contract, constraints: { max_minutes: 0 } }, "max_minutes"],
    ["time that is text", { ...task_contract, constraints: { max_minutes: "5" } }, "max_minutes"],
    ["too much time", { ...task_contract, constraints: { max_minutes: 1e9 } }, "max_minutes"],
    ["a payload that is too deep", { ...task_contract, payload: deep }, "nested too deep"],
  ])("a contract with %s", async (_what, contract, said) => {
    expect(await expectRefusal(contract, sound.steps, { mcp_servers: {} })).toContain(said);
  });

  test.each<[string, object, string]>([
    ["a target of numbers", { target: { port: 80 } }, "context.target"],
    ["a payload that is a list", { payload: [1] }, "context.payload"],
  ])("a context with %s", async (_what, context, said) => {
    expect(await expectRefusal(task_contract, sound.steps, { mcp_servers: {}, ...context })).toContain(said);
  });

  test.each<[string, unknown, string]>([
    ["nothing", undefined, "steps is not"],
    ["null", null, "steps is not"],
    ["none", [], "steps is not"],
    ["an object", { length: 1 }, "steps is not"],
    ["one that is null", [...sound.steps, null], "steps[1]"],
    ["one that is text", ["true"], "steps[0]"],
    ["one of no kind", [{ value: "true" }], "steps[0]"],
    ["one of another kind", [{ kind: "toString", value: "true" }], "steps[0]"],
    ["a command that is a list", [{ kind: "cmd", value: ["true"] }], "steps[0]"],
    ["a call without a tool", [{ kind: "mcp_call", server: "notes" }], "steps[0]"],
    ["a call with a list of arguments", [{ kind: "mcp_call", server: "n", tool: "t", arguments: [1] }], "steps[0]"],
  ])("steps: %s", async (_what, steps, said) => {
    expect(await expectRefusal(task_contract, steps, sound.context)).toContain(said);
  });

  test.each<[string, unknown, string]>([
    ["nothing", undefined, "context.mcp_servers"],
    ["servers that are a list", { mcp_servers: [] }, "context.mcp_servers"],
    ["a server that is null", { mcp_servers: { notes: null } }, "context.mcp_servers.notes"],
    ["a server without a token", { mcp_servers: { notes: { url: "http://x/" } } }, "context.mcp_servers.notes"],
    ["a server without a URL", { mcp_servers: { notes: { token: "" } } }, "context.mcp_servers.notes"],
    ["a URL that is none", { mcp_servers: { notes: { url: "http://", token: "" } } }, "context.mcp_servers.notes"],
    ["a URL of a file", { mcp_servers: { notes: { url: "file:///x", token: "" } } }, "context.mcp_servers.notes"],
  ])("a context with %s", async (_what, context, said) => {
    expect(await expectRefusal(task_contract, sound.steps, context)).toContain(said);
  });

  test.each<[string, object, string]>([
    ["a number", { look_at: 0 }, "context.look_at"],
    ["an index of a command", { look_at: [0] }, "context.look_at"],
    ["an index of no step", { look_at: [9] }, "context.look_at"],
    ["an index as text", { look_at: ["0"] }, "context.look_at"],
    ["no list of steps whose last part decides", { last_part_decides: 0 }, "context.last_part_decides"],
    ["an index of no step whose last part decides", { last_part_decides: [9] }, "context.last_part_decides"],
    ["an object in place of its text", { before: {} }, "context.before"],
    ["no JSON", { before: "{" }, "context.before"],
    ["numbers", { before: '{"0": 1}' }, "context.before"],
  ])("looks: %s", async (_what, context, said) => {
    expect(await expectRefusal(task_contract, sound.steps, { ...sound.context, ...context })).toContain(said);
  });

  test("anything at all", async () => {
    const anything = fc.anything({ maxDepth: 4, withNullPrototype: true });
    const run = fc.asyncProperty(anything, anything, anything, async (contract, steps, context) => {
      await expectRefusal(contract, steps, context);
      await expectRefusal(task_contract, [...sound.steps, steps], context);
      await expectRefusal({ ...task_contract, task_id: 1 }, steps, context);
    });
    await fc.assert(run, { numRuns: 300 });
  });
});

test("what is wrong is said without what was given", async () => {
  const url = "http://me:a-secret-password@:99999/?token=a-secret-token";
  const context = { mcp_servers: { notes: { url, token: "a-secret-token" } } };
  expect(await expectRefusal(task_contract, sound.steps, context)).not.toContain("secret");
});

test("what is left out is taken as none, and the alias of arguments is taken for them", async () => {
  const step = { kind: "mcp_call", value: "", server: "none", tool: "t", params: { a: 1 } };
  const output = await main({ task_id: "t-1", target: {} }, [{ kind: "wait", value: "1ms" }, step], {});
  expect(output.step_results).toMatchObject([{ status: "passed" }, { status: "failed", kind: "mcp_call" }]);
});

test("target and payload are those of the context, also where the contract has none [2.flow_input.context_target] [2.flow_input.context_payload]", async () => {
  const steps = [{ kind: "cmd", value: 'echo "$ORCH_TARGET_NAME" "$ORCH_PAYLOAD"' }];
  const context = { target: { name: "of-context" }, payload: { of: "context" }, mcp_servers: {} };
  const contracts = [
    { task_id: "t-1" },
    { task_id: "t-1", target: { name: "of-contract" }, payload: { of: "contract" } },
  ];
  for (const contract of contracts) {
    const { step_results } = await main(contract, steps, context);
    expect(step_results).toMatchObject([{ stdout: 'of-context {"of":"context"}\n' }]);
  }
  const { step_results } = await main(contracts[1], steps, { mcp_servers: {} });
  expect(step_results).toMatchObject([{ stdout: 'of-contract {"of":"contract"}\n' }]);
});

test("a job with rubbish ends with a result, and logs nothing", async () => {
  const job = await startFlowJob({ task_contract: [], steps: "x", context: 7 });
  expect(await job.ended).toMatchObject({ success: true, result: { ok: false, step_results: [] } });
  expect(job.log()).toBe("");
});
