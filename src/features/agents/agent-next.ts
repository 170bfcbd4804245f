// The next action of an agent run, from its journal alone. Every backend follows it, so any backend can continue a run
// after a stop [1.A.5.agent_lifecycle].
import type { AgentStopped } from "../../domain/agent-events.ts";
import { refusalOf } from "../../domain/approval.ts";
import { type AgentProjection, openCallsOf } from "./fold.ts";
import { type AgentLimits, stopOf } from "./stop-conditions.ts";

export type AgentAction =
  /** Nothing has begun: the tools are listed. */
  | { readonly is: "load_tools" }
  | { readonly is: "ask_model" }
  /** All calls of the last reply are judged before the first is made (D-137). */
  | { readonly is: "judge_calls" }
  | { readonly is: "await_approval"; readonly approval_id: string }
  | { readonly is: "make_calls" }
  | { readonly is: "outcome_unknown"; readonly index: number; readonly attempt: number }
  | { readonly is: "finished" }
  | ({ readonly is: "stopped" } & AgentStopped);

export function agentNext(agent: AgentProjection, limits: AgentLimits): AgentAction {
  if (agent.stopped !== null) return { is: "stopped", ...agent.stopped };
  if (agent.finished !== null) return { is: "finished" };
  if (agent.equipped === null) return { is: "load_tools" };
  const start = startOf(agent);
  if (start !== null) return start;
  const open = openCallsOf(agent);
  if (open.some(({ state }) => state === "asked")) return { is: "judge_calls" };
  const cut = open.find(({ state }) => state === "started" || state === "unknown");
  if (cut !== undefined) return { is: "outcome_unknown", index: cut.index, attempt: cut.attempt };
  const stop = stopOf(agent, limits, { open: open.length > 0 });
  if (stop !== null) return { is: "stopped", ...stop };
  const waiting = open.find(({ state }) => state === "waiting");
  if (waiting !== undefined) return { is: "await_approval", approval_id: waiting.approval_id ?? "" };
  return { is: open.length > 0 ? "make_calls" : "ask_model" };
}

/** Null where nothing was asked before the first call, or a human has approved it. */
function startOf({ start }: AgentProjection): AgentAction | null {
  if (start === null || start.decided?.decision === "approve") return null;
  if (start.decided === null) return { is: "await_approval", approval_id: start.approval_id };
  const { code, message } = refusalOf(start.decided);
  return { is: "stopped", reason_code: code, message };
}
