// The ports of agent mode: a model, and a backend that runs the loop. A backend gets a run and nothing else, so it cannot bypass policy,
// approvals or the journal (D-131).

import type { AgentStopped } from "../../domain/agent-events.ts";
import { refusalOf } from "../../domain/approval.ts";
import type { TaskContract } from "../../domain/contract.ts";
import type { AgentMessage, OfferedTool, WrittenCall } from "./agent-message.ts";
import { type AgentProjection, openCallsOf } from "./fold.ts";
import { type AgentLimits, stopOf } from "./stop-conditions.ts";

// Authors of skills import these from `orch/agent-ports`, which is this file.
export type { DescribedSkillTool, OfferedToolContext, SkillTool, SkillToolContext } from "../../ports.ts";

/** `thinking` is the model's own reasoning, null without any. A `fault` is a stable code, optionally with a detail. */
export type ModelReply = { readonly latency_ms: number } & (
  | {
      readonly is: "reply";
      readonly text: string;
      readonly thinking: string | null;
      readonly calls: readonly WrittenCall[];
      /** How many calls in its text are not made: they repeat what a tool has said, or are marked as not to be run. */
      readonly quoted?: number;
      /** How many tokens the question took, as the model's server has counted. */
      readonly prompt_tokens?: number;
    }
  | { readonly is: "fault"; readonly fault: string }
);

export type AgentContext = {
  /** Of messages, tools and reply together. */
  readonly context_tokens: number;
  /** The room for messages and tools. Within it, the model's server drops nothing (D-141). */
  readonly prompt_tokens: number;
  /** How many tokens the model itself can hold; null where its server does not say. */
  readonly own_limit: number | null;
};

/** The model that works on agent tasks. Never rejects. */
export interface AgentModel {
  readonly name: string;
  context(): Promise<AgentContext>;
  reply(
    question: {
      readonly messages: readonly AgentMessage[];
      readonly tools: readonly OfferedTool[];
      /** What tools have returned in this run, also where the messages leave it out. A quotation of it is not a call. */
      readonly data?: readonly string[];
    },
    signal: AbortSignal,
  ): Promise<ModelReply>;
}

/** What comes next in a run, unless its task was cancelled or its server stops. */
export type AgentNextAction = AgentAction | { readonly is: "cancelled" | "suspended" };

/**
 * The actions of one agent task, each under policy and recorded. Each reads from the journal what is left to do. It may be
 * called again after a stop, and does not repeat what is done.
 */
export interface AgentRun {
  readonly contract: TaskContract;
  next(): AgentNextAction;
  /** Lists the tools that the model is offered. */
  loadTools(): Promise<void>;
  /** Asks the model for its next reply. */
  askModel(): Promise<void>;
  /** Judges every call of that reply by policy, and requests one approval for those that need it. */
  judgeCalls(): Promise<void>;
  /** Makes the permitted calls one after the other, until one has no known outcome. */
  makeCalls(): Promise<void>;
}

/** Chooses the order of the actions. Resolves when the run has to wait or has ended. */
export interface AgentBackend {
  readonly name: string;
  run(run: AgentRun): Promise<void>;
}

// The next action of an agent run, from its journal alone. Every backend follows it, so any backend can continue a run
// after a stop [1.A.5.agent_lifecycle].

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
