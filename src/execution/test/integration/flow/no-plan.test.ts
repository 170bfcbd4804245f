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

/** Of a call whose server is given as this. */
const server = (notes: unknown) => ({ context: { mcp_servers: { notes } } });
const looks = (over: object) => ({ context: { ...sound.context, ...over } });
/** Its context names no target and no payload, which would count in place of those of the contract. */
const contract = (over: object) => ({ task_contract: { ...task_contract, ...over }, context: { mcp_servers: {} } });
const minutes = (max_minutes: unknown) => contract({ constraints: { max_minutes } });
const call = { kind: "mcp_call", server: "notes" };

describe("no plan, because of", () => {
  test.each<[string, object, string]>([
    ["no contract", { task_contract: undefined }, "task_contract"],
    ["a contract that is null", { task_contract: null }, "task_contract"],
    ["a contract that is text", { task_contract: "{}" }, "task_contract"],
    ["a contract that is a list", { task_contract: [] }, "task_contract"],
    ["no id", contract({ task_id: undefined }), "task_id"],
    ["an id that is a number", contract({ task_id: 7 }), "task_id"],
    ["no target", contract({ target: undefined }), "target"],
    ["a target of numbers", contract({ target: { port: 80 } }), "target"],
    ["a payload that is a list", contract({ payload: [1] }), "payload"],
    ["a payload that is too deep", contract({ payload: deep }), "nested too deep"],
    ["constraints that are text", contract({ constraints: "none" }), "max_minutes"],
    ["no time at all", minutes(0), "max_minutes"],
    ["time that is text", minutes("5"), "max_minutes"],
    ["too much time", minutes(1e9), "max_minutes"],
    ["a context with a target of numbers", { context: { mcp_servers: {}, target: { port: 80 } } }, "context.target"],
    ["a context with a payload that is a list", { context: { mcp_servers: {}, payload: [1] } }, "context.payload"],
    ["no steps", { steps: undefined }, "steps is not"],
    ["steps that are null", { steps: null }, "steps is not"],
    ["an empty list of steps", { steps: [] }, "steps is not"],
    ["steps that are an object", { steps: { length: 1 } }, "steps is not"],
    ["a step that is null", { steps: [...sound.steps, null] }, "steps[1]"],
    ["a step that is text", { steps: ["true"] }, "steps[0]"],
    ["a step of no kind", { steps: [{ value: "true" }] }, "steps[0]"],
    ["a step of another kind", { steps: [{ kind: "toString", value: "true" }] }, "steps[0]"],
    ["a command that is a list", { steps: [{ kind: "cmd", value: ["true"] }] }, "steps[0]"],
    ["a call without a tool", { steps: [call] }, "steps[0]"],
    ["a call with a list of arguments", { steps: [{ ...call, tool: "t", arguments: [1] }] }, "steps[0]"],
    ["no context", { context: undefined }, "context.mcp_servers"],
    ["servers that are a list", { context: { mcp_servers: [] } }, "context.mcp_servers"],
    ["a server that is null", server(null), "context.mcp_servers.notes"],
    ["a server without a token", server({ url: "http://x/" }), "context.mcp_servers.notes"],
    ["a server without a URL", server({ token: "" }), "context.mcp_servers.notes"],
    ["a URL that is none", server({ url: "http://", token: "" }), "context.mcp_servers.notes"],
    ["a URL of a file", server({ url: "file:///x", token: "" }), "context.mcp_servers.notes"],
    ["looks that are a number", looks({ look_at: 0 }), "context.look_at"],
    ["a look at a command", looks({ look_at: [0] }), "context.look_at"],
    ["a look at no step", looks({ look_at: [9] }), "context.look_at"],
    ["a look with an index as text", looks({ look_at: ["0"] }), "context.look_at"],
    ["no list of steps whose last part decides", looks({ last_part_decides: 0 }), "context.last_part_decides"],
    ["an index of no step whose last part decides", looks({ last_part_decides: [9] }), "context.last_part_decides"],
    ["an object in place of what was printed before", looks({ before: {} }), "context.before"],
    ["what was printed before, as no JSON", looks({ before: "{" }), "context.before"],
    ["what was printed before, as numbers", looks({ before: '{"0": 1}' }), "context.before"],
  ])("%s", async (_what, over, said) => {
    const given: { [name: string]: unknown } = { ...sound, ...over };
    expect(await expectRefusal(given["task_contract"], given["steps"], given["context"])).toContain(said);
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
