// Agent mode from the environment (spec section 1, agent backends). The agent model is the routing model unless another is set:
// to work by itself takes a more capable one.
import { z } from "zod";
import type { AgentLimits } from "../agent/stop-conditions.ts";
import type { AgentBackendName } from "../domain/agent-events.ts";
import { ModelName, ModelUrl, oneOf, Paths, whole } from "./values.ts";

export type AgentConfig = {
  readonly backend: AgentBackendName;
  /** Null: there is none, and an agent task is blocked. */
  readonly model: string | null;
  readonly url: string;
  /** Of one reply. */
  readonly timeout_ms: number;
  readonly context_tokens: number;
  readonly limits: AgentLimits;
  /** Absolute paths that its commands do not see, and sockets that they do. */
  readonly hidden: readonly string[];
  readonly sockets: readonly string[];
};

export const AgentEnvironment = {
  AGENT_BACKEND: oneOf(["plain", "react"]).default("react"),
  AGENT_MODEL: ModelName.optional(),
  AGENT_URL: ModelUrl.optional(),
  AGENT_TIMEOUT_MS: whole(1, 3_600_000, 120_000),
  AGENT_CONTEXT_TOKENS: whole(4_096, 1_048_576, 16_384),
  AGENT_MAX_TURNS: whole(1, 1_000, 30),
  AGENT_MAX_CALLS: whole(1, 1_000, 60),
  AGENT_MAX_MINUTES: whole(1, 1_440, 60),
  AGENT_HIDDEN: Paths.optional(),
  AGENT_SOCKETS: Paths.optional(),
};

const Read = z.object(AgentEnvironment).extend({ ROUTING_MODEL: ModelName.optional(), ROUTING_URL: ModelUrl });

export const agentOf = (env: z.output<typeof Read>): AgentConfig => ({
  backend: env.AGENT_BACKEND,
  model: env.AGENT_MODEL ?? env.ROUTING_MODEL ?? null,
  url: env.AGENT_URL ?? env.ROUTING_URL,
  timeout_ms: env.AGENT_TIMEOUT_MS,
  context_tokens: env.AGENT_CONTEXT_TOKENS,
  limits: { turns: env.AGENT_MAX_TURNS, calls: env.AGENT_MAX_CALLS, minutes: env.AGENT_MAX_MINUTES },
  hidden: env.AGENT_HIDDEN ?? [],
  sockets: env.AGENT_SOCKETS ?? [],
});
