// A call of an agent that acts and loses its answer is made once: the task asks, although the model would make the call again.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AgentWorld, done, openAgentWorld, run } from "../../../support/agent-engine.ts";
import { calls } from "../../../support/agent-model.ts";
import type { Engine } from "../../../support/engine.ts";
import { LOSING_ANSWERS } from "../../../support/losing-tool.ts";
import { type LosingWay, startLosingServer } from "../../../support/lost-answers.ts";
import { afterHandshake, type RawServer, rpcResult, sendJson, startRawServer } from "../../../support/tool-server.ts";

const stack = new AsyncDisposableStack();
let world: AgentWorld;
let engine: Engine;
let server: Awaited<ReturnType<typeof startLosingServer>>;
let tools: RawServer;
let call: ReturnType<typeof run>;
beforeAll(async () => {
  server = stack.use(await startLosingServer());
  tools = stack.use(
    await startRawServer(
      afterHandshake(({ body: { id, method, params } }, response) => {
        if (method === "tools/call") return LOSING_ANSWERS[params.name]?.(id, response);
        const annotations = { readOnlyHint: false };
        const listed = Object.keys(LOSING_ANSWERS).map((name) => ({
          name,
          inputSchema: { type: "object" },
          annotations,
        }));
        return sendJson(response, rpcResult(id, { tools: listed }));
      }),
    ),
  );
  // It makes the same call three times, and does not look at the results.
  const script = ({ messages }: { messages: readonly { role: string }[] }) =>
    messages.filter(({ role }) => role === "tool").length < 3 ? calls(call) : done();
  world = stack.use(await openAgentWorld(script, { env: { MCP_PAY_URL: tools.url } }));
  engine = stack.use(await world.open());
});
afterAll(() => stack.disposeAsync());

const submit = (task_id: string, over: object = {}) => {
  const implicit_scope = ["shell", `127.0.0.1:${server.port}`, "pay"];
  const constraints = { implicit_scope, require_approval_for: [], max_minutes: 1 };
  // A task that asks keeps its target.
  const target = { compose_dir: join(world.directory, task_id) };
  mkdirSync(target.compose_dir);
  return engine.submit(world.contract({ task_id, target, constraints, ...over }));
};
const ASKS = { status: "need_input", outcome: { reason_code: "step_outcome_unknown" } };

describe.each(["react", "plain"])("an agent of the %s backend", (agent_backend) => {
  test.each<[LosingWay, string]>([
    ["resets", "curl -fsS -X POST"],
    ["closes", "curl -fsS -X POST"],
    ["cuts", "curl -fsS -X POST"],
    ["waits", "curl -fsS -m 1 -X POST"],
    ["500", "curl -fsS -X POST"],
    ["502", "curl -fsS -X POST"],
    ["503", "curl -fsS -X POST"],
    ["504", "curl -fsS -X POST"],
  ])("whose request is answered with %s sends it once", async (way, command) => {
    const name = `${agent_backend}-${way}`;
    call = run(`${command} ${server.url(way, name)}`);
    expect(await submit(name, { agent_backend })).toMatchObject(ASKS);
    expect(server.effectsOf(name)).toBe(1);
  });

  test("may repeat a request that only reads", async () => {
    const name = `${agent_backend}-reads`;
    call = run(`curl -fsS ${server.url("resets", name)}`);
    expect(await submit(name, { agent_backend })).not.toMatchObject(ASKS);
    expect(server.effectsOf(name)).toBe(3);
  });

  test("goes on after the answer, and does not repeat what is done", async () => {
    const name = `${agent_backend}-goes-on`;
    call = run(`curl -fsS -X POST ${server.url("resets", name)}`);
    await submit(name, { agent_backend });
    call = run("true");
    const resolved = { task_id: name, resolution: "succeeded", wait_seconds: 30 };
    expect(await engine.call("resolve_step", resolved)).not.toMatchObject(ASKS);
    expect(server.effectsOf(name)).toBe(1);
  });

  test.each(["http_500", "rpc_internal", "tool_timeout", "cut"])("calls a tool once: %s", async (tool) => {
    const made = () => tools.calls().filter(({ body }) => body.params.name === tool).length;
    const before = made();
    call = [`pay__${tool}`, {}];
    expect(await submit(`${agent_backend}-${tool}`, { agent_backend })).toMatchObject(ASKS);
    expect(made() - before).toBe(1);
  });
});
