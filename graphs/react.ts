// Runs the ReAct loop of an agent task: the model asks for calls, policy judges them, a human approves where policy asks, and the
// model reads the results. Nodes do the work through the AgentRun and report facts. The rules are the edges.
import { type BaseCheckpointSaver, END, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { TaskContract } from "../src/domain/contract.ts";
import { Reason } from "../src/domain/outcome.ts";
import type { AgentNextAction, AgentRun } from "../src/features/agents/port.ts";
import { awaitApproval } from "./nodes/await-approval.ts";
import { awaitCallResolution } from "./nodes/await-resolution.ts";
import { assertHasContract, type Edges, type PipelineDeps, PipelineInput, traced, withEdges } from "./state.ts";

/** Replies and results of calls are in the journal. */
export const ReactState = new StateSchema({
  contract: TaskContract,
  reply: z.enum(["calls", "no_calls", "over"]).optional(),
  /** What policy says of its calls; `settled` when each is allowed, refused, or no call at all. */
  permission: z.enum(["settled", "ask", "over"]).optional(),
  calls: z.enum(["made", "outcome_unknown", "over"]).optional(),
  approval_id: z.string().optional(),
  decision: z.enum(["approve", "reject"]).optional(),
  step_index: z.int().optional(),
  reason: Reason.optional(),
});

type React = typeof ReactState.State;
type ReactFacts = typeof ReactState.Update;

type ReactDeps = Pick<PipelineDeps, "threadOf" | "store" | "clock" | "agentRunOf">;

/** Does its part of the run, if that part is next, and reports what is next then. */
const node =
  (act: (run: AgentRun) => Promise<void>, factsOf: (next: AgentNextAction) => ReactFacts) =>
  ({ agentRunOf }: ReactDeps) =>
  async (state: React): Promise<ReactFacts> => {
    assertHasContract(state);
    const { contract } = state;
    const run = await agentRunOf(contract);
    await act(run);
    return factsOf(run.next());
  };

const OVER: ReadonlySet<AgentNextAction["is"]> = new Set(["finished", "stopped", "cancelled", "suspended"]);

const loadTools = node(
  (run) => run.loadTools(),
  () => ({}),
);

const askModel = node(
  (run) => run.askModel(),
  ({ is }) => {
    if (OVER.has(is)) return { reply: "over" };
    return { reply: is === "ask_model" ? "no_calls" : "calls" };
  },
);

const judgeCalls = node(
  (run) => run.judgeCalls(),
  (next) => {
    if (OVER.has(next.is)) return { permission: "over" };
    if (next.is !== "await_approval") return { permission: "settled" };
    return { permission: "ask", approval_id: next.approval_id };
  },
);

const makeCalls = node(
  (run) => run.makeCalls(),
  (next) => {
    if (OVER.has(next.is)) return { calls: "over" };
    if (next.is !== "outcome_unknown") return { calls: "made" };
    return { calls: "outcome_unknown", step_index: next.index };
  },
);

const nodesOf = (deps: ReactDeps) =>
  traced({
    load_tools: loadTools(deps),
    ask_model: askModel(deps),
    judge_calls: judgeCalls(deps),
    await_call_approval: awaitApproval(deps),
    make_calls: makeCalls(deps),
    await_call_resolution: awaitCallResolution(deps),
  });

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
