// The ReAct agent backend: hands tool calls and the control of the loop to a graph (graphs/react.ts). Called
// within a node of the pipeline the graph is a part of its thread: its questions pause the task, and its checkpoints are kept.

import type { TaskContract } from "../../domain/contract.ts";
import type { AgentBackend } from "../port.ts";

type Graph = {
  invoke(input: { readonly contract: TaskContract }, config: { readonly recursionLimit: number }): Promise<unknown>;
};

// Far above what the limits of a run let happen: four supersteps a turn.
const RECURSION_LIMIT = 10_000;

export const createReactBackend = (graph: Graph): AgentBackend => ({
  name: "react",
  run: async ({ contract }) => {
    await graph.invoke({ contract }, { recursionLimit: RECURSION_LIMIT });
  },
});
