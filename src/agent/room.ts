// The room of a run in the context of its model: the document of the task, what the tools may take, and what is too large where the
// task does not fit (D-141).
import type { AgentStopped } from "../domain/agent-events.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { AgentServices } from "./agent-services.ts";
import type { AgentContext } from "./port.ts";
import { agentSystem, type TaskFrame, taskDocument } from "./prompt.ts";
import { factorAfter, tokensIn, tokensOf } from "./stop-conditions.ts";
import { type AgentFrame, headOf, type Room } from "./transcript.ts";

export type FrameDeps = {
  readonly agent: Pick<AgentServices, "model" | "account" | "limits" | "skill_tools">;
  /** The home directory that commands see. */
  readonly home: string;
  readonly redact: (text: string) => string;
};

type Offer = Pick<TaskFrame, "missing" | "left_out" | "readers"> & { readonly has_shell: boolean };

/** The rules and the document with the task, as the model reads them. */
export function frameOf({ agent, home, redact }: FrameDeps, contract: TaskContract, offer: Offer): AgentFrame {
  const { has_shell, ...shown } = offer;
  const machine = has_shell ? { directory: contract.target["compose_dir"] ?? home, ...agent.account } : null;
  const task = redact(taskDocument(contract, { ...shown, machine, limits: agent.limits }));
  return { system: agentSystem(has_shell), task };
}

/** The share of the context that is kept for the conversation. */
const CONVERSATION = 1 / 8;

export function toolRoom(context: AgentContext | null, frame: AgentFrame): number {
  if (context === null) return Number.POSITIVE_INFINITY;
  return context.prompt_tokens * (1 / factorAfter([]) - CONVERSATION) - tokensOf(headOf(frame));
}

/** Says what is too large, and how to mend it. */
export function contextTooSmall(contract: TaskContract, frame: AgentFrame, room: Room & AgentContext): AgentStopped {
  const needed = tokensOf(headOf(frame)) + room.tools_tokens;
  const wanted = Math.ceil((needed * factorAfter([])) / (1 - CONVERSATION) / 1_024) * 1_024;
  const more = Math.max(1_024, wanted - room.prompt_tokens);
  const [name, tokens] = largestPart(contract);
  const isOver = room.own_limit !== null && room.context_tokens + more > room.own_limit;
  const mend = isOver
    ? `use a model with a larger context: this one holds ${room.own_limit} tokens, so AGENT_CONTEXT_TOKENS cannot help`
    : `raise AGENT_CONTEXT_TOKENS by ${more} or more`;
  const message = `The contract, the rules and the tools take about ${needed} tokens, and the context of the model has ${room.prompt_tokens} for them and the conversation. The largest part is ${name} with about ${tokens}: shorten it, or ${mend}.`;
  return { reason_code: "context_too_small", message };
}

function largestPart({ target, payload, success_criteria }: TaskContract): readonly [string, number] {
  const parts = [
    ["success_criteria", success_criteria],
    ...Object.entries(target).map(([key, value]) => [`target.${key}`, value]),
    ...Object.entries(payload).map(([key, value]) => [`payload.${key}`, value]),
  ] as const;
  const sizes = parts.map(([name, value]) => [String(name), tokensIn(JSON.stringify(value))] as const);
  return sizes.reduce((one, other) => (other[1] > one[1] ? other : one), ["payload", 0]);
}
