// The server dies in the middle of a tool call: what the tool server lets be repeated is called again, all else is asked about.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { check, contractBody, mcpCall } from "../../support/builders.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";
import { afterHandshake, type RawServer, rpcResult, sendJson, startRawServer } from "../../support/tool-server.ts";
import { serve, settled } from "./begin.ts";

const TOOLS = [
  { name: "look", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
  { name: "set", inputSchema: { type: "object" }, annotations: { idempotentHint: true } },
  { name: "create", inputSchema: { type: "object" }, annotations: {} },
];

let tools: RawServer;
let isHolding = true;
beforeAll(async () => {
  tools = await startRawServer(
    afterHandshake(async ({ body }, response) => {
      if (body.method === "tools/list") return sendJson(response, rpcResult(body.id, { tools: TOOLS }));
      while (isHolding) await sleep(20);
      return sendJson(response, rpcResult(body.id, { content: [] }));
    }),
  );
});
afterAll(() => tools[Symbol.asyncDispose]());

const callsOf = (tool: string) => tools.calls().filter(({ body }) => body.params.name === tool).length;

const EXPECTED = [
  ["look", { status: "ok" }, 2],
  ["set", { status: "ok" }, 2],
  ["create", { status: "need_input", outcome: { reason_code: "step_outcome_unknown" } }, 1],
] as const;

test("a call that was cut off is made again where the tool only reads or may be repeated, and is asked about where neither is known", async () => {
  await using directory = await temporaryDirectory();
  const start = { data_dir: directory.path, env: { MCP_NOTES_URL: tools.url } };
  const constraints = { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 };
  {
    await using orch = await serve(start);
    for (const [tool] of EXPECTED) {
      const contract = contractBody({ task_id: tool, target: { service: tool }, constraints });
      await orch.post("/v1/tasks", { ...contract, wait_seconds: 20 });
      await orch.post("/v1/teach", { task_id: tool, steps: [mcpCall({ tool }), check("test -d /")] });
      await expect.poll(() => callsOf(tool), { timeout: 10_000 }).toBe(1);
    }
    await orch.kill("SIGKILL");
  }
  isHolding = false;
  await using orch = await serve(start);
  for (const [tool, expected, calls] of EXPECTED) {
    expect(await settled(orch, tool), tool).toMatchObject(expected);
    expect(callsOf(tool), tool).toBe(calls);
  }
});
