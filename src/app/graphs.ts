// The graphs with everything that their nodes use: the models, the agent and the looks at checks. The service and LangGraph Studio
// compose them alike.
import { homedir } from "node:os";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { buildPromotionGraph } from "../../graphs/promotion.ts";
import { buildReactGraph } from "../../graphs/react.ts";
import { buildSopGraph } from "../../graphs/sop.ts";
import metadata from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import { createExaminer, withMemory } from "../engine/tasks/check-looks.ts";
import type { ThreadOf } from "../engine/tasks/thread.ts";
import type { Execution } from "../execution/execution.ts";
import { createAgentRuns } from "../features/agents/agent-run.ts";
import { createPlainBackend, createReactBackend } from "../features/agents/backends.ts";
import { createGate } from "../gate/ollama-gate.ts";
import type { Judges } from "../judge/thread-judge.ts";
import { modelsOf } from "../ollama/served-model.ts";
import type { Store } from "../ports.ts";
import type { Means } from "../process/system.ts";
import { createAgent } from "./agent.ts";
import type { Given } from "./given.ts";

type Services = {
  readonly means: Pick<Means, "clock" | "new_id">;
  readonly store: Store;
  readonly threads: { readonly threadOf: ThreadOf };
  /** Of the service; Studio has its own. */
  readonly checkpoints?: BaseCheckpointSaver;
  readonly execution: Execution;
  readonly judges: Pick<Judges, "ofTasks">;
  readonly given: Pick<Given, "skills" | "agent_backends"> & {
    readonly redaction: Pick<Given["redaction"], "redact">;
    readonly place: Pick<Given["place"], "shellFault">;
  };
};

export function createGraphs(config: Config, services: Services) {
  const { store, checkpoints, execution, judges, given } = services;
  const { threadOf } = services.threads;
  const { clock, new_id } = services.means;
  const { skills, agent_backends } = given;
  const { redact } = given.redaction;
  const { shellFault } = given.place;
  const { looks, backendOf, unapproved, toolServers } = execution;
  const judge = judges.ofTasks;
  const home = homedir();
  const models = modelsOf(config);
  const agent = createAgent(config, { redact, judge, skills, shellFault, execution: execution.ofAgents, models });
  const { version } = metadata;
  const examiner =
    looks === null ? null : createExaminer({ store: withMemory(store), clock, probes: looks, judge, home, version });
  const promotion = {
    store,
    threadOf,
    clock,
    new_id,
    approval_ttl_ms: config.approval_ttl_hours * 3_600_000,
    sop_promotion: config.sop_promotion,
    examiner,
    home,
    judge,
    backendOf,
    toolServers,
    unapproved,
    redact,
  };
  const pipeline = {
    ...promotion,
    agent,
    skillOf: skills.skillOf,
    gate: createGate(models.routing, { timeout_ms: config.routing_timeout_ms, redact }),
  };
  const agentRunOf = createAgentRuns(pipeline);
  const react = buildReactGraph({ store, threadOf, clock, agentRunOf });
  const backends = { plain: createPlainBackend(), react: createReactBackend(react), ...agent_backends };
  return {
    sop: buildSopGraph(
      { ...pipeline, agentRunOf, reactGraph: react, agentBackendOf: (name) => backends[name] },
      checkpoints,
    ),
    promotion: buildPromotionGraph(promotion, checkpoints),
    react,
    models,
    agent,
    /** Null where looks at checks are switched off. */
    examiner,
  };
}
