// The graphs with everything that their nodes use. The service and LangGraph Studio compose them alike.

import { homedir } from "node:os";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { buildPromotionGraph } from "../../graphs/promotion.ts";
import { buildReactGraph } from "../../graphs/react.ts";
import { buildSopGraph } from "../../graphs/sop.ts";
import type { PipelineDeps } from "../../graphs/state.ts";
import metadata from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import type { AgentBackendName } from "../domain/agent-events.ts";
import type { Execution } from "../execution/execution.ts";
import { createAgentRuns } from "../features/agents/agent-run.ts";
import { createPlainBackend, createReactBackend } from "../features/agents/backends.ts";
import type { AgentBackend } from "../features/agents/port.ts";
import type { Skills } from "../features/skills/process/find-skills.ts";
import { createNoModelGate, createOllamaGate } from "../gate/ollama-gate.ts";
import type { Judges } from "../judge/thread-judge.ts";
import type { Models, ServedModel } from "../ollama/served-model.ts";
import type { Clock, Gate, Judge, Store, ToolServers } from "../ports.ts";
import { type CheckLooks, createExaminer, withMemory } from "../proof/examiner.ts";
import type { CheckExaminer } from "../proof/port.ts";
import type { Redact } from "../redact/find-secrets.ts";

export type AgentBackends = Partial<Readonly<Record<AgentBackendName, AgentBackend>>>;

type Services = Pick<PipelineDeps, "store" | "threadOf" | "clock" | "new_id" | "agent"> & {
  readonly redact: Redact;
  readonly skills: Skills;
  readonly execution: Pick<Execution, "backendOf" | "unapproved">;
  readonly toolServers: ToolServers;
  readonly examiner: CheckExaminer | null;
  readonly judges: Pick<Judges, "ofTasks">;
  readonly models: Pick<Models, "routing">;
  /** Of the service; Studio has its own. */
  readonly checkpoints?: BaseCheckpointSaver;
  /** Replace the backends of the same name. */
  readonly agent_backends?: AgentBackends | undefined;
};

export function createGraphs(config: Config, services: Services) {
  const {
    store,
    threadOf,
    clock,
    new_id,
    agent,
    redact,
    skills,
    execution,
    toolServers,
    judges,
    examiner,
    checkpoints,
  } = services;
  const promotion = {
    store,
    threadOf,
    clock,
    new_id,
    approval_ttl_ms: config.approval_ttl_hours * 3_600_000,
    sop_promotion: config.sop_promotion,
    examiner,
    home: homedir(),
    judge: judges.ofTasks,
    backendOf: execution.backendOf,
    toolServers,
    unapproved: execution.unapproved,
    redact,
  };
  const pipeline = {
    ...promotion,
    agent,
    skillOf: skills.skillOf,
    gate: createGate(config, services.models.routing, redact),
  };
  const agentRunOf = createAgentRuns(pipeline);
  const react = buildReactGraph({ store, threadOf, clock, agentRunOf });
  const backends = { plain: createPlainBackend(), react: createReactBackend(react), ...services.agent_backends };
  return {
    sop: buildSopGraph(
      { ...pipeline, agentRunOf, reactGraph: react, agentBackendOf: (name) => backends[name] },
      checkpoints,
    ),
    promotion: buildPromotionGraph(promotion, checkpoints),
    react,
  };
}

type Examining = {
  readonly store: Store;
  readonly clock: Clock;
  readonly looks: CheckLooks | null;
  readonly judge: Judge;
};

/** Null where looks at checks are switched off. */
export const createCheckExaminer = ({ store, clock, looks, judge }: Examining): CheckExaminer | null =>
  looks === null
    ? null
    : createExaminer({ store: withMemory(store), clock, looks, judge, home: homedir(), version: metadata.version });

const createGate = ({ routing_timeout_ms: timeout_ms }: Config, model: ServedModel | null, redact: Redact): Gate =>
  model === null ? createNoModelGate() : createOllamaGate({ model, timeout_ms, redact });
