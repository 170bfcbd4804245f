// A node that asks, run in a graph of its own: the question that it asks, and what follows from the answer.
import { Command, END, INTERRUPT, isInterrupted, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { type Facts, type Pipeline, PipelineState } from "../../graphs/state.ts";
import type { Question } from "../../src/engine/tasks/human-in-the-loop.ts";

export function askingNode(node: (state: Pipeline) => Promise<Facts>) {
  const graph = new StateGraph(PipelineState)
    .addNode({ node })
    .addEdge(START, "node")
    .addEdge("node", END)
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "t" } };
  return {
    /** The question; null when the node asks none. */
    ask: async (state: Pipeline): Promise<Question | null> => {
      const result: unknown = await graph.invoke(state, config);
      return isInterrupted<Question>(result) ? (result[INTERRUPT][0]?.value ?? null) : null;
    },
    answer: (resume: unknown) => graph.invoke(new Command({ resume }), config),
  };
}
