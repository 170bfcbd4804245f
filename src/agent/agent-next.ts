// What comes next in an agent run, from its journal alone: every backend goes by this, so that a run goes on after a stop
// where it was, whoever goes on with it (spec section 1, agent task lifecycle).

import type { AgentCall } from "../domain/agent-call.ts";
import type { AgentStopped } from "../domain/agent-events.ts";
import { eventsOf, type JournalEvent, lastOf } from "../domain/journal.ts";
import { agentCallsOf } from "./agent-calls.ts";
import { type AgentLimits, stopOf } from "./stop-conditions.ts";

export type AgentNext =
  /** Nothing has begun: the tools are found out. */
  | { readonly is: "equip" }
  | { readonly is: "ask_model" }
  /** The calls of the last reply are judged, all of them before the first is made. */
  | { readonly is: "judge_calls" }
  | { readonly is: "await_approval"; readonly approval_id: string }
  | { readonly is: "make_calls" }
  | { readonly is: "outcome_unknown"; readonly index: number; readonly attempt: number }
  | { readonly is: "finished" }
  | ({ readonly is: "stopped" } & AgentStopped);

export function agentNext(events: readonly JournalEvent[], limits: AgentLimits): AgentNext {
  const stopped = lastOf(events, "agent_stopped");
  if (stopped !== undefined) return { is: "stopped", ...stopped };
  if (lastOf(events, "agent_finished") !== undefined) return { is: "finished" };
  if (lastOf(events, "agent_equipped") === undefined) return { is: "equip" };
  const record = { turns: eventsOf(events, "agent_replied"), calls: agentCallsOf(events) };
  const open = record.calls.filter(isOpen);
  if (open.some(({ state }) => state === "asked")) return { is: "judge_calls" };
  const cut = open.find(({ state }) => state === "started" || state === "unknown");
  if (cut !== undefined) return { is: "outcome_unknown", index: cut.index, attempt: cut.attempt };
  const stop = stopOf(record, limits, { open: open.length > 0 });
  if (stop !== null) return { is: "stopped", ...stop };
  const waiting = open.find(({ state }) => state === "waiting");
  if (waiting !== undefined) return { is: "await_approval", approval_id: waiting.approval_id ?? "" };
  return { is: open.length > 0 ? "make_calls" : "ask_model" };
}

const SETTLED: ReadonlySet<AgentCall["state"]> = new Set(["refused", "faulty", "rejected", "ended"]);

const isOpen = ({ state }: AgentCall): boolean => !SETTLED.has(state);
