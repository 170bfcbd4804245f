// Every client stack that a supervisor may be written with lives the life of a procedure with a server.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engine, openEngine } from "../support/engine.ts";
import { bearer, TOKEN } from "../support/http-endpoint.ts";
import { type RunningMcp, startMcp } from "../support/mcp-endpoint.ts";
import { aiSdk } from "./mcp-clients/ai-sdk.ts";
import { langgraph } from "./mcp-clients/langgraph.ts";
import { lifeOf } from "./mcp-clients/life.ts";
import { mastra } from "./mcp-clients/mastra.ts";
import { openaiAgents } from "./mcp-clients/openai-agents.ts";
import { createScript } from "./mcp-clients/script.ts";
import { mcpRemote, orchMcp, sdkV1 } from "./mcp-clients/sdk-v1.ts";
import { sdkV2 } from "./mcp-clients/sdk-v2.ts";

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

test.each([
  ["SDK v1", sdkV1],
  ["SDK v1 over stdio", orchMcp],
  ["SDK v1 through mcp-remote", mcpRemote],
  ["SDK v2", sdkV2("legacy")],
  ["SDK v2 at 2026-07-28", sdkV2({ pin: "2026-07-28" })],
  ["LangGraph", langgraph],
  ["AI SDK", aiSdk],
  ["OpenAI Agents", openaiAgents],
  ["Mastra", mastra],
])("%s explains, submits, teaches, approves, runs the procedure again and reads the evidence", async (stack, drive) => {
  const life = lifeOf(stack.replaceAll(" ", "-"), engine.directory);
  const script = createScript(life.map(({ call }) => call));
  await drive({ url: `${endpoint.url}/mcp`, token: TOKEN, headers: bearer(), directory: engine.directory }, script);
  expect(script.heard).toMatchObject(life.map(({ answer }) => answer));
});
