// The ReAct agent backend [1.A.6.agents]: a graph controls the loop and makes the tool calls. It is invoked within a
// node of the pipeline and is part of that thread: its questions pause the task, and its checkpoints are kept (D-133).
import type { TaskContract } from "../../domain/contract.ts";
import type { AgentBackend } from "../port.ts";

type Graph = {
  invoke(input: { readonly contract: TaskContract }, config: { readonly recursionLimit: number }): Promise<unknown>;
};

// A turn takes four supersteps. The limits of a run end it long before this limit.
const RECURSION_LIMIT = 10_000;

export const createReactBackend = (graph: Graph): AgentBackend => ({
  name: "react",
  run: async ({ contract }) => {
    await graph.invoke({ contract }, { recursionLimit: RECURSION_LIMIT });
  },
});
