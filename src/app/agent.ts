// Composes what agent tasks are run with: the model, the tools of skills, an execution of their own, and the resources they may not
// reach.
import { existsSync, readFileSync } from "node:fs";
import { release, type, userInfo } from "node:os";
import type { Config } from "../config/config.ts";
import { agentSandbox } from "../execution/execution.ts";
import type { AgentExecution, AgentServices } from "../features/agents/agent-services.ts";
import { createOllamaAgentModel } from "../features/agents/model/ollama-agent-model.ts";
import { readReply } from "../features/agents/model/read-reply.ts";
import type { Skills } from "../features/skills/process/find-skills.ts";
import type { Models, ServedModel } from "../ollama/served-model.ts";
import type { Judge } from "../ports.ts";
import type { Redact } from "../redact/find-secrets.ts";

type Parts = {
  readonly redact: Redact;
  readonly judge: Judge;
  readonly skills: Skills;
  /** Why commands cannot be confined here; null when they can. */
  readonly shellFault: () => Promise<string | null>;
  readonly execution: AgentExecution;
  readonly models: Pick<Models, "agent">;
};

export function createAgent(config: Config, parts: Parts): AgentServices {
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
