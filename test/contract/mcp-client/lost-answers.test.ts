// A changing tool that acts and then answers in a way that leaves its outcome open is called once, although the routing model says transient.
import { describe, expect, test } from "vitest";
import { answers, startOllama } from "../../simulators/ollama/ollama.ts";
import { check, contractBody, mcpCall } from "../../support/builders.ts";
import { openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import { LOSING_ANSWERS, toolSays } from "../../support/losing-tool.ts";
import { http, rpc, rpcResult, sendJson, startRawServer, type ToolAnswer } from "../../support/tool-server.ts";

/** By the name of the tool. Each is named as one that changes something, but for those that say otherwise. */
const ANSWERS: Readonly<Record<string, ToolAnswer>> = {
  ...LOSING_ANSWERS,
  declined: toolSays("the card was declined"),
  unknown_tool: rpc(-32_602, "Tool unknown_tool not found"),
  no_method: rpc(-32_601, "Method not found"),
  read_500: http(500),
  idem_500: http(500),
};
const HINTS: Readonly<Record<string, object>> = {
  read_500: { readOnlyHint: true },
  idem_500: { idempotentHint: true },
};

const server = held(
  await startRawServer(({ method, body }, response) => {
    const { id, params } = body ?? {};
    if (method !== "POST") return response.writeHead(405).end();
    if (body.method === "initialize")
      return sendJson(
        response,
        rpcResult(id, {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "pay", version: "1" },
        }),
      );
    if (body.method === "tools/list") {
      const tools = Object.keys(ANSWERS).map((name) => ({
        name,
        inputSchema: { type: "object" },
        annotations: HINTS[name] ?? { readOnlyHint: false },
      }));
      return sendJson(response, rpcResult(id, { tools }));
    }
    if (body.method === "tools/call") return ANSWERS[params.name]?.(id, response);
    return response.writeHead(202).end();
  }),
);
const model = held(
  await startOllama((response, body) =>
    answers(body.includes("categories") ? { requires_approval: false } : { error_type: "transient" })(response, body),
  ),
);
const env = { MCP_PAY_URL: server.url, MCP_PAY_TOKEN: "t", ROUTING_MODEL: "m", ROUTING_URL: model.base_url };
const engine = held(await openEngine({ env }));

const calls = (tool: string) => server.calls().filter(({ body }) => body.params.name === tool).length;

async function run(name: string, tool: string, more: object = {}) {
  const target = { service: name };
  await engine.plant("deploy", target, [{ ...mcpCall({ server: "pay", tool }), ...more } as never, check("test -d /")]);
  const constraints = { implicit_scope: ["pay"], require_approval_for: [], max_minutes: 1 };
  const contract = { task_id: name, target, delegation_mode: "known_only", constraints };
  return engine.call("submit_task", { ...contractBody(contract), wait_seconds: 30 });
}

const ENDED_OTHERWISE = ["declined", "unknown_tool", "no_method", "read_500", "idem_500"];

describe("a changing tool that acts and does not say how it ended", () => {
  test.each(Object.keys(ANSWERS).filter((tool) => !ENDED_OTHERWISE.includes(tool)))(
    "promises 1.3, 1.7, 1.8: %s is called once, and its outcome is unknown",
    async (tool) => {
      const task = await run(`once-${tool}`, tool);
      expect(calls(tool)).toBe(1);
      expect(task).toMatchObject({ status: "need_input", outcome: { reason_code: "step_outcome_unknown" } });
    },
  );

  test("promises 1.7: its reconcile command decides it", async () => {
    const before = calls("rpc_internal");
    expect(await run("reconciled", "rpc_internal", { reconcile: "exit 0" })).toMatchObject({ status: "ok" });
    expect(calls("rpc_internal") - before).toBe(1);
  });

  test.each(["declined", "unknown_tool", "no_method"])(
    "an answer that says that it failed is believed: %s",
    async (tool) => {
      const task = await run(`told-${tool}`, tool);
      expect(calls(tool)).toBe(1);
      expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "step_failed" } });
      expect(task.outcome.next[0].text).toBe("Look at what the steps did before you submit again.");
    },
  );
});

describe("a call that may be repeated", () => {
  test.each(["read_500", "idem_500"])("is repeated once where the tool says so: %s", async (tool) => {
    expect(await run(`may-${tool}`, tool)).toMatchObject({ status: "failed" });
    expect(calls(tool)).toBe(2);
  });

  test("is repeated once where the step says that it is idempotent", async () => {
    const before = calls("http_500");
    expect(await run("may-step", "http_500", { idempotent: true })).toMatchObject({ status: "failed" });
    expect(calls("http_500") - before).toBe(2);
  });
});
