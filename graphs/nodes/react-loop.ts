// The nodes of the ReAct loop. Each does its part of the run, if that part is next, and reports what is next then.
import type { AgentNextAction, AgentRun } from "../../src/agent/port.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { React, ReactFacts } from "../react-state.ts";
import { assertHasContract } from "../state.ts";

type Deps = Pick<PipelineDeps, "agentRunOf">;

const node =
  (act: (run: AgentRun) => Promise<void>, factsOf: (next: AgentNextAction) => ReactFacts) =>
  ({ agentRunOf }: Deps) =>
  async (state: React): Promise<ReactFacts> => {
    assertHasContract(state);
    const { contract } = state;
    const run = await agentRunOf(contract);
    await act(run);
    return factsOf(run.next());
  };

const OVER: ReadonlySet<AgentNextAction["is"]> = new Set(["finished", "stopped", "cancelled", "suspended"]);

export const loadTools = node(
  (run) => run.loadTools(),
  () => ({}),
);

export const askModel = node(
  (run) => run.askModel(),
  ({ is }) => {
    if (OVER.has(is)) return { reply: "over" };
    return { reply: is === "ask_model" ? "no_calls" : "calls" };
  },
);

export const judgeCalls = node(
  (run) => run.judgeCalls(),
  (next) => {
    if (OVER.has(next.is)) return { permission: "over" };
    if (next.is !== "await_approval") return { permission: "settled" };
    return { permission: "ask", approval_id: next.approval_id };
  },
);

export const makeCalls = node(
  (run) => run.makeCalls(),
  (next) => {
    if (OVER.has(next.is)) return { calls: "over" };
    if (next.is !== "outcome_unknown") return { calls: "made" };
    return { calls: "outcome_unknown", step_index: next.index };
  },
);
