// LangGraph, as the example of docs has it: LangChain's MCP adapters, and a graph that asks a human before it approves.
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { Command, isInterrupted } from "@langchain/langgraph";
import { openSupervisor } from "../../../docs/examples/langgraph-supervisor.ts";
import type { Script, Server } from "./script.ts";

/** The human says yes. */
export async function langgraph({ url, token }: Server, script: Script): Promise<void> {
  const say = (messages: BaseMessage[]): AIMessage => {
    const last = messages.at(-1);
    const call = last?.type === "tool" ? script.after(last.content) : script.first();
    if (call === null) return new AIMessage("done");
    return new AIMessage({ content: "", tool_calls: [{ ...call, type: "tool_call" }] });
  };
  const { graph, close } = await openSupervisor({ url, token, model: { bindTools: () => RunnableLambda.from(say) } });
  const thread = { configurable: { thread_id: "1" } };
  const asked = await graph.invoke({ messages: [{ role: "user", content: "deploy release 7" }] }, thread);
  if (!isInterrupted(asked)) throw new Error("the graph asked no human");
  await graph.invoke(new Command({ resume: true }), thread);
  await close();
}
