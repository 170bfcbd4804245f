// The ReAct loop of an agent task: the model asks for calls, policy judges them, a human approves where policy asks, and the
// model reads the results. Nodes do the work through the AgentRun and report facts. The rules are the edges.
import { type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import { type Edges, traced, withEdges } from "./node.ts";
import { awaitApproval } from "./nodes/await-approval.ts";
import { awaitCallResolution } from "./nodes/await-resolution.ts";
import { askModel, judgeCalls, loadTools, makeCalls } from "./nodes/react-loop.ts";
import type { PipelineDeps } from "./pipeline-deps.ts";
import { type React, ReactState } from "./react-state.ts";
import { PipelineInput } from "./state.ts";

const nodesOf = (deps: ReactDeps) =>
  traced({
    load_tools: loadTools(deps),
    ask_model: askModel(deps),
    judge_calls: judgeCalls(deps),
    await_call_approval: awaitApproval(deps),
    make_calls: makeCalls(deps),
    await_call_resolution: awaitCallResolution(deps),
  });

export type ReactDeps = Pick<PipelineDeps, "threadOf" | "store" | "clock" | "agentRunOf">;

const EDGES: Edges<React, keyof ReturnType<typeof nodesOf>> = {
  load_tools: "ask_model",
  // A reply without calls is asked for again, until the limits of the run end it.
  ask_model: { fact: "reply", next: { calls: "judge_calls", no_calls: "ask_model", over: END } },
  // [5.4] Every call is judged before the first one is made. A refusal is the result of its call; three in a row end the run.
  judge_calls: { fact: "permission", next: { settled: "make_calls", ask: "await_call_approval", over: END } },
  // The agent reads a rejection and continues.
  await_call_approval: "make_calls",
  make_calls: { fact: "calls", next: { made: "ask_model", outcome_unknown: "await_call_resolution", over: END } },
  await_call_resolution: "make_calls",
};

export function buildReactGraph(deps: ReactDeps, checkpointer?: BaseCheckpointSaver) {
  const graph = new StateGraph({ state: ReactState, input: PipelineInput })
    .addNode(nodesOf(deps))
    .addEdge(START, "load_tools");
  return withEdges(graph, EDGES).compile(checkpointer === undefined ? {} : { checkpointer });
}
