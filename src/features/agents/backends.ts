// The two agent backends [1.A.6.agents]: a plain loop that performs the next action until the run has to wait or has ended, and a graph.
import type { AgentBackendName } from "../../domain/agent-events.ts";
import type { TaskContract } from "../../domain/contract.ts";
import type { AgentBackend } from "./port.ts";

/** They replace the backends of the same name. */
export type AgentBackends = Partial<Readonly<Record<AgentBackendName, AgentBackend>>>;

export const createPlainBackend = (): AgentBackend => ({
  name: "plain",
  run: async (run) => {
    for (;;) {
      switch (run.next().is) {
        case "load_tools":
          await run.loadTools();
          break;
        case "ask_model":
          await run.askModel();
          break;
        case "judge_calls":
          await run.judgeCalls();
          break;
        case "make_calls":
          await run.makeCalls();
          break;
        default:
          return;
      }
    }
  },
});

type Graph = {
  invoke(input: { readonly contract: TaskContract }, config: { readonly recursionLimit: number }): Promise<unknown>;
};

// A turn takes four supersteps. The limits of a run end it long before this limit.
const RECURSION_LIMIT = 10_000;

/**
 * The graph controls the loop and makes the tool calls. It is invoked within a node of the pipeline and is part of that thread: its
 * questions pause the task, and its checkpoints are kept (D-133).
 */
export const createReactBackend = (graph: Graph): AgentBackend => ({
  name: "react",
  run: async ({ contract }) => {
    await graph.invoke({ contract }, { recursionLimit: RECURSION_LIMIT });
  },
});
