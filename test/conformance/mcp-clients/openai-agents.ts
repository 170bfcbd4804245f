// OpenAI's Agents SDK: its MCP client, and its agent loop with a scripted model.
import { Agent, type AgentOutputItem, MCPServerStreamableHttp, type Model, Runner, Usage } from "@openai/agents-core";
import type { Call, Script, Server } from "./script.ts";

export async function openaiAgents({ url, headers }: Server, script: Script): Promise<void> {
  const server = new MCPServerStreamableHttp({ url, name: "orch", requestInit: { headers } });
  await server.connect();
  const model = modelOf(script);
  const agent = new Agent({ name: "supervisor", model, mcpServers: [server] });
  const runner = new Runner({ tracingDisabled: true, modelProvider: { getModel: () => model } });
  await runner.run(agent, "deploy release 7", { maxTurns: script.replies });
  await server.close();
}

const modelOf = (script: Script): Model => ({
  getResponse: async ({ input }) => {
    const last = Array.isArray(input) ? input.at(-1) : undefined;
    const call = last?.type === "function_call_result" ? script.after(last.output) : script.first();
    return { usage: new Usage(), output: [said(call)] };
  },
  getStreamedResponse: () => {
    throw new Error("nothing is streamed");
  },
});

const said = (call: Call | null): AgentOutputItem =>
  call === null
    ? { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "done" }] }
    : { type: "function_call", callId: call.id, name: call.name, arguments: JSON.stringify(call.args) };
