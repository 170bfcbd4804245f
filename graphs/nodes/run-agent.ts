// Runs an agent task on its backend [1.A.5.agent_backend] until it has finished, asks, or must stop. The result is read from
// the journal, never taken from the backend.

import type { AgentStopped } from "../../src/domain/agent-events.ts";
import { reason } from "../../src/domain/outcome.ts";
import type { Thread } from "../../src/engine/tasks/thread.ts";
import type { AgentNextAction } from "../../src/features/agents/port.ts";
import type { Facts, Pipeline, PipelineDeps } from "../state.ts";

export const runAgent =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const run = await deps.agentRunOf(contract);
    const thread = await deps.threadOf(contract.task_id);
    const { equipped } = thread.journal.projection.agent;
    const name = equipped?.agent_backend ?? contract.agent_backend ?? deps.agent.default_backend;
    await deps.agentBackendOf(name).run(run);
    return factsOf(thread, run.next());
  };

function factsOf(thread: Thread, next: AgentNextAction): Facts {
  switch (next.is) {
    case "finished":
      return { agent: "finished" };
    case "stopped":
      return stopped(thread, next);
    case "await_approval":
      return { agent: "asks", approval_id: next.approval_id };
    case "outcome_unknown":
      return { agent: "outcome_unknown", step_index: next.index };
    case "suspended":
      return { agent: "suspended" };
    case "cancelled":
      return { agent: "cancelled", reason: reason("cancelled", "The supervisor cancelled the task.") };
    default:
      throw new Error(`the agent backend has left a run that was not over: ${next.is}`);
  }
}

function stopped({ journal }: Thread, { reason_code, message }: AgentStopped): Facts {
  if (journal.projection.agent.stopped === null) {
    journal.note({ kind: "agent_stopped", body: { reason_code, message } });
  }
  const isRefused = reason_code === "agent_refused";
  const isBlocked = isRefused || reason_code === "approval_rejected" || reason_code === "approval_expired";
  if (isRefused) {
    const findings = journal.projection.agent.calls.findLast(({ state }) => state === "refused")?.findings ?? [];
    journal.note({ kind: "policy_judged", body: { findings } });
  }
  return { agent: isBlocked ? "blocked" : "failed", reason: reason(reason_code, message) };
}
