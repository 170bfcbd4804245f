// The nodes of the ReAct loop. Each does its part of the run, if that part is next, and reports what is next then.
import type { AgentRun, AgentStanding } from "../../src/agent/port.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { React, ReactFacts } from "../react-state.ts";

type Deps = Pick<PipelineDeps, "agentRunOf">;

const node =
  (act: (run: AgentRun) => Promise<void>, factsOf: (standing: AgentStanding) => ReactFacts) =>
  ({ agentRunOf }: Deps) =>
  async ({ contract }: React): Promise<ReactFacts> => {
    const run = await agentRunOf(contract);
    await act(run);
    return factsOf(run.next());
  };

const OVER: ReadonlySet<AgentStanding["is"]> = new Set(["finished", "stopped", "cancelled", "suspended"]);

export const equip = node(
  (run) => run.equip(),
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
  (standing) => {
    if (OVER.has(standing.is)) return { permission: "over" };
    if (standing.is !== "await_approval") return { permission: "settled" };
    return { permission: "ask", approval_id: standing.approval_id };
  },
);

export const makeCalls = node(
  (run) => run.makeCalls(),
  (standing) => {
    if (OVER.has(standing.is)) return { calls: "over" };
    if (standing.is !== "outcome_unknown") return { calls: "made" };
    return { calls: "outcome_unknown", step_index: standing.index };
  },
);
