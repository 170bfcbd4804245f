// The graphs with everything that their nodes use: the models, the agent and the looks at checks. The service and LangGraph Studio
// compose them alike.

import { existsSync, readFileSync } from "node:fs";
import { homedir, release, type, userInfo } from "node:os";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { buildPromotionGraph } from "../../graphs/promotion.ts";
import { buildReactGraph } from "../../graphs/react.ts";
import { buildSopGraph } from "../../graphs/sop.ts";
import metadata from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import { createExaminer, withMemory } from "../engine/tasks/check-looks.ts";
import type { ThreadOf } from "../engine/tasks/thread.ts";
import { agentSandbox, type Execution } from "../execution/execution.ts";
import { createAgentRuns } from "../features/agents/agent-run.ts";
import type { AgentExecution, AgentServices } from "../features/agents/agent-services.ts";
import { createPlainBackend, createReactBackend } from "../features/agents/backends.ts";
import { createOllamaAgentModel } from "../features/agents/model/ollama-agent-model.ts";
import { readReply } from "../features/agents/model/read-reply.ts";
import type { Skills } from "../features/skills/process/find-skills.ts";
import { createGate } from "../gate/ollama-gate.ts";
import type { Judges } from "../judge/thread-judge.ts";
import { type Models, modelsOf, type ServedModel } from "../ollama/served-model.ts";
import type { Judge, Store } from "../ports.ts";
import type { Means } from "../process/system.ts";
import type { Redact } from "../redact/find-secrets.ts";
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

// Composes what agent tasks are run with: the model, the tools of skills, an execution of their own, and the resources they may not
// reach.

type Parts = {
  readonly redact: Redact;
  readonly judge: Judge;
  readonly skills: Skills;
  /** Why commands cannot be confined here; null when they can. */
  readonly shellFault: () => Promise<string | null>;
  readonly execution: AgentExecution;
  readonly models: Pick<Models, "agent">;
};

function createAgent(config: Config, parts: Parts): AgentServices {
  const { redact, judge, skills, shellFault, execution, models } = parts;
  const { backend, limits } = config.agent;
  const { hidden } = agentSandbox(config);
  return {
    model: models.agent === null ? null : createModel(config, models.agent, { redact, judge }),
    default_backend: backend,
    skill_tools: skills.tools,
    execution,
    shellFault,
    protectedResources: ({ constraints }) => ({
      paths: hidden,
      addresses: [addressOf(config), ...outOfScope(config, constraints.implicit_scope)],
    }),
    limits,
    account: { user: config.agent.user ?? userInfo().username, system: systemName() },
  };
}

/** The name that the distribution gives itself. */
function systemName(): string {
  const text = existsSync(OS_RELEASE) ? readFileSync(OS_RELEASE, "utf8") : "";
  return /^PRETTY_NAME="?([^"\n]+)/m.exec(text)?.[1] ?? `${type()} ${release()}`;
}

const OS_RELEASE = "/etc/os-release";

type Reading = { readonly redact: Redact; readonly judge: Judge };

const createModel = ({ agent: { timeout_ms } }: Config, model: ServedModel, { redact, judge }: Reading) =>
  createOllamaAgentModel({ model, timeout_ms, redact, read: (...given) => judge(readReply, ...given) });

const addressOf = ({ host, port }: Config): string => `${host}:${port}`;

/** Tool servers that the task may not call. */
function outOfScope({ tool_servers }: Config, scope: readonly string[]): string[] {
  const named = new Set(scope.map((entry) => entry.toLowerCase()));
  const others = [...tool_servers].filter(([name]) => !named.has(name)).map(([, { url }]) => new URL(url));
  return others.map(({ hostname, port, protocol }) => `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`);
}
