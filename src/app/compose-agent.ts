// What agent tasks are run with: the model, the tools of skills, an execution of their own, and the resources they may not
// reach.
import { existsSync, readFileSync } from "node:fs";
import { release, type, userInfo } from "node:os";
import type { AgentExecution, AgentServices } from "../agent/agent-services.ts";
import { createOllamaAgentModel } from "../agent/model/ollama-agent-model.ts";
import { readReply } from "../agent/model/read-reply.ts";
import type { Config } from "../config/config.ts";
import { agentConfinement } from "../execution/local/confinement/agent-confinement.ts";
import type { Judges } from "../judge/thread-judge.ts";
import type { Judge } from "../ports.ts";
import type { Redact } from "../redact/redact.ts";
import type { Skills } from "../skill-process/find-skills.ts";

type Parts = {
  readonly redact: Redact;
  readonly judges: Pick<Judges, "ofTasks">;
  readonly skills: Skills;
  /** Why commands cannot be confined here; null when they can. */
  readonly shellFault: () => Promise<string | null>;
  readonly execution: AgentExecution;
};

export function composeAgent(config: Config, { redact, judges, skills, shellFault, execution }: Parts): AgentServices {
  const { backend, limits } = config.agent;
  const { hidden } = agentConfinement(config);
  return {
    model: composeModel(config, redact, judges.ofTasks),
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

const ANSWER_TOKENS = 4_096;

function composeModel({ agent }: Config, redact: Redact, judge: Judge) {
  const { model, url, timeout_ms, context_tokens } = agent;
  if (model === null) return null;
  const answer_tokens = Math.min(ANSWER_TOKENS, Math.floor(context_tokens / 4));
  const read = (...given: Parameters<typeof readReply>) => judge(readReply, ...given);
  return createOllamaAgentModel({ model, base_url: url, timeout_ms, context_tokens, answer_tokens, redact, read });
}

const addressOf = ({ host, port }: Config): string => `${host}:${port}`;

/** Tool servers that the task may not call. */
function outOfScope({ tool_servers }: Config, scope: readonly string[]): string[] {
  const named = new Set(scope.map((entry) => entry.toLowerCase()));
  const others = [...tool_servers].filter(([name]) => !named.has(name)).map(([, { url }]) => new URL(url));
  return others.map(({ hostname, port, protocol }) => `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`);
}
