// What a job is given: exactly the input of the execution contract [2.flow_input.*], and no secret
// that the engine keeps: a token goes there as a reference, which the engine resolves for the script alone.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { returns } from "../../../../../test/simulators/flow-engine/worker.ts";
import { aContract, check, cmd, mcpCall, wait } from "../../../../../test/support/builders.ts";
import { type SdkServer, startSdkServer } from "../../../../../test/support/tool-server.ts";
import { readConfig } from "../../../../config/config.ts";
import type { Step } from "../../../../domain/step.ts";
import { startEngineRun } from "./engine-run.ts";

const REFERENCE = "$var:f/orch/notes_token";
const TOKEN = "the-token-of-the-notes";

let notes: SdkServer;
beforeEach(async () => {
  notes = await startSdkServer();
});
afterEach(() => notes[Symbol.asyncDispose]());

const constraints = { implicit_scope: ["notes", "gitserver"], require_approval_for: [], max_minutes: 1 };

async function stored(steps: readonly Step[], over: object = {}, request: object = {}) {
  const tool_servers = new Map([
    ["notes", { url: "http://notes/mcp", token: REFERENCE }],
    ["gitserver", { url: "http://git/mcp", token: null }],
    ["tickets", { url: "http://tickets/mcp", token: "not-of-this-task" }],
  ]);
  await using it = await startEngineRun({}, { tool_servers });
  it.engine.give(returns(null));
  const task_contract = aContract({ constraints, ...over });
  await it.run(steps, { task_contract, ...request });
  const [asked] = it.engine.requests;
  return { task_contract, args: it.engine.jobs[0]?.args, url: asked?.url, told: it.told };
}

describe("the argument object of the flow", () => {
  test("is the contract, the steps and the context, and nothing else [2.flow_input.task_contract] [2.flow_input.steps] [2.flow_input.context] [2.flow.path]", async () => {
    const payload = { list: [1, "two", { three: null }], text: 'größe 😀 " \\ </script>' };
    const steps = [cmd("echo 'ü' \"$X\""), wait("1s"), mcpCall({ arguments: { a: [1] } }), check("test -d /")];
    const further = { target: { service: "web", any: "attribute" }, payload, "further field": { x: [true] } };
    const { task_contract, args, url } = await stored(steps, further);
    expect(args).toStrictEqual({
      task_contract,
      steps,
      context: {
        target: task_contract.target,
        payload,
        mcp_servers: { notes: { url: "http://notes/mcp", token: REFERENCE } },
      },
    });
    expect(task_contract["further field"]).toEqual({ x: [true] });
    expect(url).toMatch(/^\/api\/w\/lab\/jobs\/run\/f\/f\/orch\/execute_task_steps\?job_id=[0-9a-f-]{36}$/);
  });

  test("names the steps of whose pipelines only the last part counts (promises 3.1)", async () => {
    const searches = [check("docker ps | grep -q web"), wait("1s"), cmd("docker ps | grep -q web || ls")];
    const { args } = await stored([cmd("pg_dump db | gzip > f"), ...searches, check("test -d /")]);
    expect(args).toMatchObject({ context: { last_part_decides: [1, 3] } });
  });

  test.each(["bootstrap_context", "triage", "restart", "record_to_notes"])(
    "goes to the same flow with the intent %s [2.flow.generic]",
    async (intent) => {
      const { args, url } = await stored([check("test -d /")], { intent });
      expect(args).toMatchObject({ task_contract: { intent } });
      expect(url).toContain("/jobs/run/f/f/orch/execute_task_steps?");
    },
  );

  test("goes to another flow where a setting names one [2.flow.override]", async () => {
    const engine = { FLOWENGINE_URL: "https://flow", FLOWENGINE_TOKEN: "engine-token", FLOWENGINE_WORKSPACE: "lab" };
    const { flow_engine } = readConfig({ HOME: "/home/of", ...engine, FLOWENGINE_FLOW_PATH: "f/team/run_steps" });
    const { flow_path = "" } = flow_engine ?? {};
    await using it = await startEngineRun({ flow: "f/team/run_steps" }, { flow_path });
    it.engine.give(returns(null));
    await it.run([check("test -d /")]);
    expect(it.engine.jobs).toHaveLength(1);
    expect(it.engine.requests[0]?.url).toContain("/jobs/run/f/f/team/run_steps?");
  });

  test("names the checks to look at, and what others printed before as one text, by their index in the job", async () => {
    const steps = [cmd("make"), check("test -e a"), check('echo 1; [ 1 != "$ORCH_BEFORE" ]')];
    const first = await stored(steps, {}, { look_at: [1, 2] });
    expect(first.args).toMatchObject({ context: { look_at: [1, 2] } });
    expect(first.args?.["context"]).not.toHaveProperty("before");
    const before = new Map([
      [0, "of a step that has run"],
      [2, "$var:f/orch/notes_token"],
    ]);
    const next = await stored(steps.slice(1), {}, { first_index: 1, attempt: 2, before });
    expect(next.args).toMatchObject({ context: { before: '{"1":"$var:f/orch/notes_token"}' } });
    expect(next.args?.["context"]).not.toHaveProperty("look_at");
  });

  test("says of which trace the job is, where it is of one", async () => {
    const traceparentOf = ({ index, attempt }: { index: number; attempt: number }) => `trace ${index}/${attempt}`;
    const { args } = await stored([cmd("true"), check("test -d /")], {}, { traceparentOf });
    expect(args).toMatchObject({ context: { traceparent: "trace 0/1" } });
    const without = await stored([cmd("true"), check("test -d /")], {}, { traceparentOf: () => undefined });
    expect(without.args?.["context"]).not.toHaveProperty("traceparent");
  });

  test("holds the rest of the steps alone when the task goes on in the middle", async () => {
    const rest = [cmd("echo three"), check("test -d /")];
    const { args, told } = await stored(rest, {}, { first_index: 2, attempt: 2 });
    expect(args?.["steps"]).toEqual(rest);
    expect(told[0]).toBe("started 2/2 through 3");
  });
});

describe("the token of a tool server", () => {
  const calling = async (token: string | null, steps = [mcpCall({ tool: "set", arguments: { value: "x" } })]) => {
    const variables = new Map([["f/orch/notes_token", TOKEN]]);
    const tool_servers = new Map([["notes", { url: notes.url, token }]]);
    const it = await startEngineRun({ variables }, { tool_servers });
    const output = await it.run(steps, { task_contract: aContract({ constraints }) });
    return { ...it, output };
  };

  test("is with the engine by its reference only, and the call carries its value [4.mcp.flow_context] [5.1]", async () => {
    await using it = await calling(REFERENCE);
    expect(it.output).toMatchObject({ ok: true, step_results: [{ status: "passed" }] });
    expect(notes.called).toEqual([{ tool: "set", args: { value: "x" } }]);
    expect(notes.calls().map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TOKEN}`]);
    const [job] = it.engine.jobs;
    expect(job?.args).toMatchObject({ context: { mcp_servers: { notes: { token: REFERENCE } } } });
    expect(JSON.stringify(job?.args).split(REFERENCE)).toHaveLength(2);
    const kept = [job?.args, job?.ending, job?.processes.map((process) => process.log()), it.engine.requests];
    expect(JSON.stringify([kept, it.told, it.lines, it.end(), it.output])).not.toContain(TOKEN);
  });

  test("may be none, and then the call carries none", async () => {
    await using it = await calling(null);
    expect(it.output.ok).toBe(true);
    expect(notes.calls().map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test("that the engine does not know fails the job before anything has run", async () => {
    await using it = await calling("$var:f/orch/other", [mcpCall({ tool: "set" })]);
    expect(it.end()).toMatchObject({
      code: "flow_crashed",
      message: expect.stringContaining("Variable f/orch/other not found"),
    });
    expect(notes.called).toEqual([]);
    expect(it.engine.counts().processes).toBe(0);
  });
});
