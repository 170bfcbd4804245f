// Agent mode put together for compose.ts, which it is a part of: its model, its backends, and an execution of its own, whose
// commands are kept away from what is orch's.

import type { PipelineDeps } from "../../graphs/pipeline-deps.ts";
import { buildReactGraph } from "../../graphs/react.ts";
import { createAgentRuns } from "../agent/agent-run.ts";
import { createPlainBackend } from "../agent/backends/plain.ts";
import { createReactBackend } from "../agent/backends/react.ts";
import { createOllamaAgentModel } from "../agent/model/ollama-agent-model.ts";
import type { AgentBackend } from "../agent/port.ts";
import type { Config } from "../config/config.ts";
import type { AgentBackendName } from "../domain/agent-events.ts";
import { agentConfinement } from "../execution/local/confinement/agent-confinement.ts";
import { createLocalBackend, type LocalBackendOptions } from "../execution/local/local-backend.ts";
import type { Redact } from "../redact/redact.ts";
import type { Skills } from "../skills/find-skills.ts";

type Built = {
  readonly redact: Redact;
  readonly skills: Skills;
  readonly shellFault: () => Promise<string | null>;
  readonly local: LocalBackendOptions & Pick<Required<LocalBackendOptions>, "toolServers">;
};

export function agentMeansOf(config: Config, { redact, skills, shellFault, local }: Built): PipelineDeps["agent"] {
  const { agent } = config;
  const confinement = agentConfinement(config);
  return {
    model: modelOf(config, redact),
    default_backend: agent.backend,
    skill_tools: skills.tools,
    // Nothing that got no answer is made again, whatever its server says of it.
    execution: createLocalBackend({
      ...local,
      toolServers: { ...local.toolServers, mayRepeat: async () => false },
      confinement,
    }),
    shellFault,
    ownThings: ({ constraints }) => ({
      paths: confinement.hidden,
      addresses: [addressOf(config), ...outOfScope(config, constraints.implicit_scope)],
    }),
    limits: agent.limits,
  };
}

const ANSWER_TOKENS = 4_096;

function modelOf({ agent }: Config, redact: Redact) {
  const { model, url, timeout_ms, context_tokens } = agent;
  if (model === null) return null;
  const answer_tokens = Math.min(ANSWER_TOKENS, Math.floor(context_tokens / 4));
  return createOllamaAgentModel({ model, base_url: url, timeout_ms, context_tokens, answer_tokens, redact });
}

const addressOf = ({ host, port }: Config): string => `${host}:${port}`;

/** Tool servers that the task may not call. */
function outOfScope({ tool_servers }: Config, scope: readonly string[]): string[] {
  const named = new Set(scope.map((entry) => entry.toLowerCase()));
  const others = [...tool_servers].filter(([name]) => !named.has(name)).map(([, { url }]) => new URL(url));
  return others.map(({ hostname, port, protocol }) => `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`);
}

export type AgentBackends = Partial<Readonly<Record<AgentBackendName, AgentBackend>>>;

/** `deps` are those of the pipeline but for what is made here; `others` stand in the place of the backends of that name. */
export function agentBackendsOf(deps: Omit<PipelineDeps, "agentBackendOf" | "agentRunOf">, others: AgentBackends = {}) {
  const agentRunOf = createAgentRuns(deps);
  const backends = {
    plain: createPlainBackend(),
    react: createReactBackend(buildReactGraph({ ...deps, agentRunOf })),
    ...others,
  };
  const agentBackendOf: PipelineDeps["agentBackendOf"] = (name) => backends[name];
  return { agentRunOf, agentBackendOf };
}
