// The ReAct loop of an agent task: the model asks for calls, policy judges them, a human approves where policy asks, and the
// model reads the results. Nodes do the work through the AgentRun and report facts. The rules are the edges.
import { type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import { factOf, traced } from "./node.ts";
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

export const buildReactGraph = (deps: ReactDeps, checkpointer?: BaseCheckpointSaver) =>
  new StateGraph({ state: ReactState, input: PipelineInput })
    .addNode(nodesOf(deps))
    .addEdge(START, "load_tools")
    .addEdge("load_tools", "ask_model")
    // A reply without calls is asked for again, until the limits of the run end it.
    .addConditionalEdges("ask_model", replyIs, { calls: "judge_calls", no_calls: "ask_model", over: END })
    // [5.4] Every call is judged before the first one is made. A refusal is the result of its call; three in a row end the run.
    .addConditionalEdges("judge_calls", permissionIs, {
      settled: "make_calls",
      ask: "await_call_approval",
      over: END,
    })
    // The agent reads a rejection and continues.
    .addEdge("await_call_approval", "make_calls")
    .addConditionalEdges("make_calls", callsAre, {
      made: "ask_model",
      outcome_unknown: "await_call_resolution",
      over: END,
    })
    .addEdge("await_call_resolution", "make_calls")
    .compile(checkpointer === undefined ? {} : { checkpointer });

const replyIs = (state: React) => factOf(state, "reply", "ask_model");
const permissionIs = (state: React) => factOf(state, "permission", "judge_calls");
const callsAre = (state: React) => factOf(state, "calls", "make_calls");
