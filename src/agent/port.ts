// The ports of agent mode: a model, a backend that runs the loop, and the tools of skills. A backend gets a run and nothing
// else, so that none can bypass policy, approvals or the journal.
import type { z } from "zod";
import type { TaskContract } from "../domain/contract.ts";
import type { Json } from "../domain/json.ts";
import type { SkillContext } from "../ports.ts";
import type { AgentMessage, AskedCall, OfferedTool } from "./agent-message.ts";
import type { AgentAction } from "./agent-next.ts";

/** `thinking` is the model's own reasoning, null without any. A `fault` is a stable code, perhaps with a detail. */
export type ModelReply = { readonly latency_ms: number } & (
  | {
      readonly is: "reply";
      readonly text: string;
      readonly thinking: string | null;
      readonly calls: readonly AskedCall[];
    }
  | { readonly is: "fault"; readonly fault: string }
);

/** The model that works on agent tasks. Never rejects. */
export interface AgentModel {
  readonly name: string;
  /** How many bytes messages and tools may have together, so that nothing of them is dropped silently. */
  readonly context_bytes: number;
  reply(
    question: { readonly messages: readonly AgentMessage[]; readonly tools: readonly OfferedTool[] },
    signal: AbortSignal,
  ): Promise<ModelReply>;
}

/** What comes next in a run, unless its task was cancelled or its server stops. */
export type AgentNextAction = AgentAction | { readonly is: "cancelled" | "suspended" };

/**
 * The actions of one agent task, each under policy and recorded. The next action follows from the journal, so any of them may
 * be called again after a stop; what is done already is not repeated.
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

/** What a tool of a skill works with: its whole call is one step of the agent run. */
export type SkillToolContext = Pick<SkillContext, "contract" | "clock" | "signal" | "call" | "listTools">;

/** What a skill's tools.ts lists in TOOLS, for agent mode. */
export type SkillTool = {
  /** Lower case with underscores; agents see `<skill>__<name>`. */
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodType;
  /** The entry of implicit_scope that it needs. */
  readonly scope: string;
  /** A check is a look whose success proves something. */
  readonly effect: "reads" | "checks" | "changes";
  /** `given` is what `parameters` makes of the arguments. A value with `ok: false`, or an error, is a failure. */
  readonly run: (ctx: SkillToolContext, given: never) => Promise<Json>;
};
