// A supervisor in LangGraph: a model with orch's tools, and a human who decides on every call of `approve`. The MCP adapter keeps
// the connection; `test/conformance/mcp-clients.test.ts` runs this graph against a real server.
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Runnable } from "@langchain/core/runnables";
import { END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";

type Tools = Awaited<ReturnType<MultiServerMCPClient["getTools"]>>;
type State = typeof MessagesAnnotation.State;

/** Every chat model of LangChain that calls tools. */
type Model = { readonly bindTools: (tools: Tools) => Runnable<BaseMessage[], BaseMessage> };

/** Resume an interrupt with `true` where the human approves. Call `close` in the end. */
export async function openSupervisor({ url, token, model }: { url: string; token: string; model: Model }) {
  const client = new MultiServerMCPClient({
    orch: { transport: "http", url, headers: { authorization: `Bearer ${token}` } },
  });
  const tools = await client.getTools();
  const asking = model.bindTools(tools);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", async ({ messages }: State) => ({ messages: [await asking.invoke(messages)] }))
    .addNode("human", ({ messages }: State) => {
      const calls = callsOf(messages);
      if (interrupt({ approve: calls }) === true) return { messages: [] };
      const refusal = (id = "") =>
        new ToolMessage({ tool_call_id: id, content: "A human said no: do not approve it." });
      return { messages: calls.map(({ id }) => refusal(id)) };
    })
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "model")
    .addConditionalEdges("model", ({ messages }: State) => {
      const calls = callsOf(messages);
      if (calls.length === 0) return END;
      return calls.some(({ name }) => name === "approve") ? "human" : "tools";
    })
    .addConditionalEdges("human", ({ messages }: State) => (callsOf(messages).length > 0 ? "tools" : "model"))
    .addEdge("tools", "model")
    .compile({ checkpointer: new MemorySaver() });
  return { graph, close: () => client.close() };
}

/** The calls that the last message asks for. */
function callsOf(messages: readonly BaseMessage[]) {
  const last = messages.at(-1);
  return last instanceof AIMessage ? (last.tool_calls ?? []) : [];
}
