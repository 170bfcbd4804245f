// An mcp_call as a step of a task: scope, parameters, result, retry, unknown outcome.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters of a step look like this
import { beforeEach, expect, test } from "vitest";
import { answers, startOllama } from "../../simulators/ollama/ollama.ts";
import { check, contractBody, mcpCall } from "../../support/builders.ts";
import { type Engine, openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import { afterHandshake, startRawServer, startSdkServer } from "../../support/tool-server.ts";

const TOKEN = "token-of-the-notes-server-0123456789";

let asked: string[] = [];

const notes = held(await startSdkServer({ sessions: true }));
const broken = held(
  await startRawServer(
    afterHandshake(({ body }, response) => {
      asked.push(body.method);
      response.destroy();
    }),
  ),
);
const model = held(await startOllama(answers('{"error_type": "transient"}')));
const engine = held(
  await openEngine({
    env: {
      MCP_NOTES_URL: notes.url,
      MCP_NOTES_TOKEN: TOKEN,
      MCP_BROKEN_URL: broken.url,
      MCP_GONE_URL: "http://127.0.0.1:59999/",
      ROUTING_MODEL: "m",
      ROUTING_URL: model.base_url,
    },
  }),
);
beforeEach(() => {
  asked = [];
});

const scope = (...implicit_scope: string[]) => ({ implicit_scope, require_approval_for: [], max_minutes: 1 });

/** Plants an SOP of these steps and runs it. */
async function run(name: string, steps: Parameters<Engine["plant"]>[2], over: Record<string, unknown> = {}) {
  const target = { service: name };
  await engine.plant("record_to_notes", target, steps);
  const contract = { task_id: name, intent: "record_to_notes", target, delegation_mode: "known_only", ...over };
  const task = await engine.call("submit_task", {
    ...contractBody({ constraints: scope("notes", "broken", "gone"), ...contract }),
    wait_seconds: 30,
  });
  const { step_results, journal, verdict } = await engine.call("get_evidence", { task_id: name });
  return { task, step_results, journal, verdict };
}

test("a tool is called with typed values of the contract, and its response is kept as JSON [4.mcp.success] [4.mcp.judged]", async () => {
  const args = { value: { deep: ["${payload.list}"], whole: "${payload.count}", text: "a ${target.service} b" } };
  const { task, step_results, verdict } = await run(
    "typed",
    [mcpCall({ tool: "set", arguments: args }), check("test -d /")],
    {
      payload: { list: [1, { two: "2" }], count: 3 },
    },
  );
  expect(task).toMatchObject({ status: "ok" });
  expect(step_results[0]).toMatchObject({ kind: "mcp_call", status: "passed", exit_code: 0, stderr: "" });
  expect(JSON.parse(step_results[0].stdout)).toEqual({ content: [{ type: "text", text: "set" }] });
  expect(verdict.checks, "the call is none of them").toMatchObject([{ step_index: 1, passed: true }]);
  const value = { deep: [[1, { two: "2" }]], whole: 3, text: "a ${target.service} b" };
  expect(notes.called.at(-1)).toEqual({ tool: "set", args: { value } });
});

test("the case of a server's name does not matter to its variables [1.A.8.tool_server] [4.mcp.environment] [5.1]", async () => {
  const { task } = await run("case", [
    mcpCall({ server: "Notes", tool: "add", arguments: { a: 1, b: 1 } }),
    check("test -d /"),
  ]);
  expect(task.status).toBe("ok");
  expect(notes.calls().at(-1)?.headers.authorization).toBe(`Bearer ${TOKEN}`);
});

test.each([
  ["the tool's own", "fail", {}, "it went wrong"],
  ["one that looks like content", "soft", {}, "Note not found"],
])(
  "an error of a tool ends the task: %s [4.mcp.tool_error] [4.mcp.judged] [7.2]",
  async (_what, tool, args, stderr) => {
    const { task, step_results } = await run(`error-${tool}`, [mcpCall({ tool, arguments: args }), check("test -d /")]);
    expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "step_failed", step_index: 0 } });
    expect(step_results).toMatchObject([{ status: "failed", exit_code: 1, stdout: "", stderr, attempt: 1 }]);
  },
);

test("a call of an unreachable server is retried, because nothing was called [4.mcp.connection_error]", async () => {
  const { task, step_results } = await run("gone", [mcpCall({ server: "gone", tool: "x" }), check("test -d /")]);
  expect(task).toMatchObject({ status: "failed" });
  expect(step_results).toMatchObject([{ exit_code: 1, attempt: 2, stderr: expect.stringContaining("ECONNREFUSED") }]);
});

test("a call that is a check and does not find what it expects is made once, though the model calls that transient: promises 1.6", async () => {
  const before = notes.called.length;
  const look = mcpCall({ tool: "add", arguments: { a: 1, b: 1 }, expect: { path: "", equals: 3 } });
  const { task, step_results } = await run("unmet", [mcpCall({ tool: "set", arguments: { value: 1 } }), look]);
  expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed", step_index: 1 } });
  expect(step_results[1]).toMatchObject({ status: "failed", attempt: 1 });
  expect(notes.called.slice(before).filter(({ args }) => JSON.stringify(args) === '{"a":1,"b":1}')).toHaveLength(1);
});

test("a call without a response is not repeated: orch asks the supervisor for its outcome", async () => {
  const { task, step_results } = await run("lost", [mcpCall({ server: "broken", tool: "create" }), check("test -d /")]);
  expect(task).toMatchObject({ status: "need_input", outcome: { reason_code: "step_outcome_unknown", step_index: 0 } });
  expect(task.outcome.message).toContain("got no answer (");
  expect(step_results[0]).toMatchObject({ status: "outcome_unknown", exit_code: 1 });
  expect(asked.filter((method) => method === "tools/call")).toHaveLength(1);
  const done = await engine.call("resolve_step", { task_id: "lost", resolution: "succeeded", wait_seconds: 30 });
  expect(done.status).toBe("ok");
  expect(asked.filter((method) => method === "tools/call")).toHaveLength(1);
});

test("a step that the supervisor retries is called once more", async () => {
  await run("again", [mcpCall({ server: "broken", tool: "create" }), check("test -d /")]);
  const task = await engine.call("resolve_step", { task_id: "again", resolution: "retry", wait_seconds: 30 });
  expect(task).toMatchObject({ status: "need_input", outcome: { reason_code: "step_outcome_unknown" } });
  expect(asked.filter((method) => method === "tools/call")).toHaveLength(2);
  await engine.call("cancel_task", { task_id: "again" });
});

test("a task that is cancelled ends its call", async () => {
  await engine.plant("deploy", { service: "held" }, [mcpCall({ tool: "hold" }), check("test -d /")]);
  const contract = { task_id: "held", target: { service: "held" }, delegation_mode: "known_only" };
  await engine.call("submit_task", contractBody({ ...contract, constraints: scope("notes") }));
  const holding = () => notes.calls().filter(({ body }) => body.params.name === "hold").length;
  await expect.poll(holding).toBe(1);
  // The tool may go on: the task keeps its target until somebody says what the call did.
  const asking = await engine.call("cancel_task", { task_id: "held" });
  expect(asking).toMatchObject({ status: "need_input", outcome: { reason_code: "step_outcome_unknown" } });
  expect(asking.outcome.message).toContain("its tool server may still work on the call");
  const ended = await engine.call("resolve_step", { task_id: "held", resolution: "failed", wait_seconds: 30 });
  expect(ended).toMatchObject({ status: "cancelled" });
});

test("a response is kept as head and tail, with its length", async () => {
  const { step_results } = await run("large", [
    mcpCall({ tool: "large", arguments: { bytes: 300_000 } }),
    check("test -d /"),
  ]);
  expect(step_results[0]).toMatchObject({ status: "passed", truncated: true });
  expect(step_results[0].stdout_bytes).toBeGreaterThan(300_000);
  expect(step_results[0].stdout.length).toBeLessThan(66_000);
});
