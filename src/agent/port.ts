// What agent mode asks of the world (spec section 1, agent backends): a model, a loop, and the tools of skills. The loop is
// handed a run and nothing else, so that no backend can pass policy, approvals or the journal by.
import type { z } from "zod";
import type { TaskContract } from "../domain/contract.ts";
import type { Json } from "../domain/json.ts";
import type { SkillContext } from "../ports.ts";
import type { AgentMessage, AskedCall, OfferedTool } from "./agent-message.ts";
import type { AgentNext } from "./agent-next.ts";

/** `thinking` is what the model has said to itself, null where it has not. A `fault` has a stable code, perhaps with a detail. */
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

/** Where an agent run stands: what comes next, or that its task was cancelled or its server is leaving. */
export type AgentStanding = AgentNext | { readonly is: "cancelled" | "suspended" };

/**
 * One agent task while it is worked on: all that a loop may do, each under policy and on record. What comes next is read from
 * the journal, so any of these may be called again after a stop; what is done already is not done again.
 */
export interface AgentRun {
  readonly contract: TaskContract;
  next(): AgentStanding;
  /** Finds out which tools there are. */
  equip(): Promise<void>;
  /** Asks the model for its next reply. */
  askModel(): Promise<void>;
  /** Has policy judge every call of that reply, and opens one approval for those that need one. */
  judgeCalls(): Promise<void>;
  /** Makes those that may be made, one after the other, until one has no known outcome. */
  makeCalls(): Promise<void>;
}

/** Decides in which order a run is carried on, and nothing else. Resolves when there is nothing left to do but to wait or to end. */
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
