// A server with an SDK of OpenTelemetry sends the spans of its tasks to a collector, and hands the trace on to what its steps start.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls, startScriptedModel } from "../../support/agent-model.ts";
import { check, cmd, contractBody, mcpCall } from "../../support/builders.ts";
import { connectMcp, type Found, overHttp } from "../../support/mcp-client.ts";
import { type OrchProcess, startOrchProcess, TOKEN, temporaryDirectory } from "../../support/orch-process.ts";
import { afterHandshake, rpcResult, sendJson, startRawServer } from "../../support/tool-server.ts";
import { type Span, startCollector } from "./collector.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";
const TRACEPARENT = `00-${TRACE}-${CALLER}-01`;
const SECRET_TEXT = "Only-In-The-Contents";

let home: string;
let orch: OrchProcess;
let collector: Awaited<ReturnType<typeof startCollector>>;
let tools: Awaited<ReturnType<typeof startRawServer>>;
const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());

beforeAll(async () => {
  home = stack.use(await temporaryDirectory()).path;
  collector = stack.use(await startCollector());
  const model = stack.use(
    await startScriptedModel([
      calls(["shell", { command: `echo ${SECRET_TEXT}; true` }]),
      calls(["finish", { summary: SECRET_TEXT, criteria: [{ criterion: 1, evidence_check: "test -d /" }] }]),
    ]),
  );
  tools = stack.use(
    await startRawServer(
      afterHandshake(({ body }, response) =>
        sendJson(response, rpcResult(body.id, { content: [{ type: "text", text: SECRET_TEXT }], tools: [] })),
      ),
    ),
  );
  const env = { ...collector.env, ...model.env, MCP_DIARY_URL: tools.url, OTEL_BSP_SCHEDULE_DELAY: "50" };
  orch = await startOrchProcess({
    data_dir: home,
    env,
    preload: join(import.meta.dirname, "../../../docs/examples/tracing.ts"),
  });
  stack.defer(async () => void (await orch.kill("SIGKILL")));
});

async function submit(contract: object, headers: Record<string, string> = {}): Promise<Found> {
  const sent = { "content-type": "application/json", authorization: `Bearer ${TOKEN}`, ...headers };
  const answer = await fetch(`${orch.url}/v1/tasks`, { method: "POST", headers: sent, body: JSON.stringify(contract) });
  return answer.json();
}

const STEPS = [
  cmd(`echo "$TRACEPARENT" > traced; echo ${SECRET_TEXT}`),
  mcpCall({ server: "diary", tool: "write", arguments: { text: SECRET_TEXT } }),
  check("grep 00- traced"),
];
const target = { host: "web-1" };
const constraints = { ...contractBody().constraints, implicit_scope: ["diary", "shell"] };

const named = (spans: readonly Span[], name: string) => spans.filter((span) => span.name === name);

/** All spans of the traces of the task, once so many stretches of work on it have ended. */
async function spansOf(task_id: string, stretches: number): Promise<Span[]> {
  const ofTask = () => named(collector.spans(), "orch.task").filter((s) => s.attributes["orch.thread_id"] === task_id);
  await expect.poll(ofTask, { timeout: 10_000 }).toHaveLength(stretches);
  const traces = new Set(ofTask().map(({ traceId }) => traceId));
  return collector.spans().filter(({ traceId }) => traces.has(traceId));
}

const parentsOf = (spans: readonly Span[]) =>
  spans.map(({ name, parentSpanId }) => [name, spans.find(({ spanId }) => spanId === parentSpanId)?.name]);

const contextOf = ({ traceId, spanId }: Span) => ({ traceId, spanId });

test("a task belongs to the trace of its submit, and what it does after a pause to one that is linked to it", async () => {
  const asked = contractBody({ task_id: "traced", target, constraints, payload: { text: SECRET_TEXT } });
  expect((await submit({ ...asked, wait_seconds: 20 }, { traceparent: TRACEPARENT })).status).toBe("need_input");
  const taught = await orch.post("/v1/teach", { task_id: "traced", steps: STEPS, wait_seconds: 20 });
  expect(taught.body.task?.status, JSON.stringify(taught)).toBe("ok");
  const spans = await spansOf("traced", 2);
  const [first, second] = named(spans, "orch.task");
  if (first === undefined || second === undefined) throw new Error("there are two");
  expect(first).toMatchObject({ traceId: TRACE, parentSpanId: CALLER });
  expect(first.attributes).toMatchObject({ "orch.intent": "deploy", "orch.reason_code": "sop_unknown" });
  expect(second.links).toEqual([{ traceId: TRACE, spanId: CALLER }, contextOf(first)]);
  expect(second.attributes).toMatchObject({ "orch.status": "ok", "orch.reason_code": "verified" });
  expect(second.events).toMatchObject([{ name: "orch.verdict_reached", attributes: { "orch.verdict.passed": true } }]);
  expect(parentsOf(spans.filter(({ traceId }) => traceId === second.traceId))).toEqual([
    ["orch.node await_teaching", "orch.task"],
    ["orch.node check_policy", "orch.task"],
    ["orch.step", "orch.node run_steps"],
    ["execute_tool write", "orch.node run_steps"],
    ["orch.node run_steps", "orch.task"],
    ["orch.node verify", "orch.task"],
    ["orch.step", "orch.node run_steps"],
    ["orch.node ok", "orch.task"],
    ["orch.task", undefined],
  ]);
});

test("the span of a step begins when the step before it has ended", async () => {
  const steps = [cmd("sleep 0.3"), cmd("sleep 0.1"), check("test -d /")];
  const asked = contractBody({ task_id: "in-turn", target: { host: "web-2" }, constraints });
  expect((await submit({ ...asked, wait_seconds: 20 })).status).toBe("need_input");
  const taught = await orch.post("/v1/teach", { task_id: "in-turn", steps, wait_seconds: 20 });
  expect(taught.body.task?.status, JSON.stringify(taught)).toBe("ok");
  const [first, second, third] = named(await spansOf("in-turn", 2), "orch.step");
  if (first === undefined || second === undefined || third === undefined) throw new Error("there are three");
  // Each is rounded to a millisecond.
  const rounded = 2_000_000n;
  expect(second.startTimeUnixNano + rounded).toBeGreaterThanOrEqual(first.endTimeUnixNano);
  expect(third.startTimeUnixNano + rounded).toBeGreaterThanOrEqual(second.endTimeUnixNano);
});

test("a program and a tool server are given the span of the step that starts them", async () => {
  const spans = await spansOf("traced", 2);
  const [step] = named(spans, "orch.step");
  const [tool] = named(spans, "execute_tool write");
  expect(readFileSync(join(home, "traced"), "utf8")).toBe(`00-${step?.traceId}-${step?.spanId}-01\n`);
  expect(step?.attributes).toMatchObject({ "orch.step.index": 0, "orch.step.kind": "cmd", "orch.step.exit_code": 0 });
  const [call] = tools.calls();
  expect(call?.body.params._meta).toEqual({ traceparent: `00-${tool?.traceId}-${tool?.spanId}-01` });
});

test("a call over MCP says of which trace it is, and a header that is no trace is ignored", async () => {
  const asked = { ...contractBody({ target, constraints }), intent: "deploy" };
  const { client } = await connectMcp(overHttp(orch.url, TOKEN));
  stack.defer(() => client.close());
  const _meta = { traceparent: TRACEPARENT };
  await client.callTool({ name: "submit_task", arguments: { ...asked, task_id: "over-mcp" }, _meta });
  await submit({ ...asked, task_id: "not-traced" }, { traceparent: "00-nothing-01" });
  const roots = [...(await spansOf("over-mcp", 1)), ...(await spansOf("not-traced", 1))];
  const parents = named(roots, "orch.task").map(({ parentSpanId, attributes }) => [
    attributes["orch.thread_id"],
    parentSpanId,
  ]);
  expect(parents).toContainEqual(["over-mcp", CALLER]);
  expect(parents).toContainEqual(["not-traced", undefined]);
});

test("a run of an agent has the spans of the conventions", async () => {
  const asked = contractBody({ task_id: "agent-1", target, constraints, delegation_mode: "agent", wait_seconds: 30 });
  const { status, outcome } = await submit(asked);
  expect(status, JSON.stringify(outcome)).toBe("ok");
  const spans = await spansOf("agent-1", 1);
  const [agent] = named(spans, "invoke_agent orch");
  const of_agent = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "orch" };
  expect(agent?.attributes).toEqual({
    ...of_agent,
    "gen_ai.request.model": "agent:8b",
    "gen_ai.provider.name": "ollama",
  });
  const chats = named(spans, "chat agent:8b").map(({ attributes }) => attributes);
  expect(chats).toMatchObject([
    { "gen_ai.operation.name": "chat", "orch.agent.turn": 1, "orch.agent.calls": 1 },
    { "orch.agent.turn": 2 },
  ]);
  const [tool] = named(spans, "execute_tool shell");
  expect(tool?.attributes).toMatchObject({ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "shell" });
  expect(parentsOf(spans)).toContainEqual(["execute_tool shell", "orch.node make_calls"]);
});

test("no span says what a command, an output, a model or a contract says", () => {
  const sent = collector.text();
  expect(sent).toContain("orch.task");
  for (const text of [SECRET_TEXT, "grep", "the page is served", "web-1"]) expect(sent).not.toContain(text);
});
