// The ports of agent mode: a model, and a backend that runs the loop. A backend gets a run and nothing else, so it cannot bypass policy,
// approvals or the journal (D-131).
import type { TaskContract } from "../../domain/contract.ts";

// Authors of skills import these from `orch/agent-ports`, which is this file.
export type { DescribedSkillTool, OfferedToolContext, SkillTool, SkillToolContext } from "../../ports.ts";

import type { AgentMessage, OfferedTool, WrittenCall } from "./agent-message.ts";
import type { AgentAction } from "./agent-next.ts";

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
