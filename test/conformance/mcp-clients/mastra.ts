// Mastra: its MCP client, and its agent with the scripted model of the AI SDK.
import { Agent } from "@mastra/core/agent";
import { MCPClient } from "@mastra/mcp";
import { modelOf } from "./ai-sdk.ts";
import type { Script, Server } from "./script.ts";

export async function mastra({ url, headers }: Server, script: Script): Promise<void> {
  const client = new MCPClient({ id: url, servers: { orch: { url: new URL(url), requestInit: { headers } } } });
  const { orch: tools = {} } = await client.listToolsets();
  const role = { id: "supervisor", name: "supervisor", instructions: "deploy what you are asked to" };
  const agent = new Agent({ ...role, model: modelOf(script), tools });
  await agent.generate("deploy release 7", { maxSteps: script.replies });
  await client.disconnect();
}
