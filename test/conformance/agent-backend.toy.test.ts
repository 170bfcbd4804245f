// A third agent backend on the shared helpers alone: what a loop has to know of policy, approvals, journal and limits is nothing.
import { expect, test } from "vitest";
import type { AgentBackend, AgentNextAction, AgentRun } from "../../src/features/agents/port.ts";
import { agentBackendSuite } from "./agent-backend.ts";

type Act = (run: AgentRun) => Promise<void>;

const ACTS: Partial<Record<AgentNextAction["is"], Act>> = {
  load_tools: (run) => run.loadTools(),
  ask_model: (run) => run.askModel(),
  judge_calls: (run) => run.judgeCalls(),
  make_calls: (run) => run.makeCalls(),
};

const toy: AgentBackend = {
  name: "toy",
  run: async (run) => {
    const act = ACTS[run.next().is];
    if (act === undefined) return;
    await act(run);
    await toy.run(run);
  },
};

/** It replaces the plain one. */
const under = { agent_backend: "plain", agent_backends: { plain: toy }, models: "one" } as const;

agentBackendSuite("toy", under);

test("a backend is short where the helpers are shared [1.A.6.helpers]", () => {
  expect(toy.run.toString().length + JSON.stringify(Object.keys(ACTS)).length).toBeLessThan(1_000);
});
