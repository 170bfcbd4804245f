// Whether this server can accept a contract at all, before its steps are judged.
import { INTENTS, scopeOf, type TaskContract } from "../domain/contract.ts";
import { type Reason, reason } from "../domain/outcome.ts";
import { engineReferences } from "../policy/engine-references.ts";
import type { ExecutionBackend, Skill, ToolServers } from "../ports.ts";

const VOCABULARY: ReadonlySet<string> = new Set(INTENTS);

export type AdmissionDeps = AgentAdmissionDeps & {
  readonly backendOf: (contract: TaskContract) => ExecutionBackend | null;
  readonly skillOf: (intent: string) => Skill | null;
};

/** Why `skip_if_done` cannot be done for this contract: only the checks of a procedure are known before anything runs. */
export function skipRefusal(
  { skillOf }: Pick<AdmissionDeps, "skillOf">,
  { skip_if_done, intent, delegation_mode }: TaskContract,
): string | null {
  if (skip_if_done !== true) return null;
  const who =
    intent === "update_sop"
      ? "update_sop"
      : delegation_mode === "agent"
        ? "an agent"
        : skillOf(intent) === null
          ? null
          : "a skill";
  return who === null ? null : `is for procedures: ${who} has no checks before it runs; leave it out`;
}

export const skillUnusable = (fault: string): Reason => reason("skill_unusable", `${fault}.`);

/** Why this server cannot run the contract, before its steps are judged. Null when it can. */
export async function obstacleTo(deps: AdmissionDeps, contract: TaskContract): Promise<Reason | null> {
  const { backendOf, skillOf } = deps;
  const missing = (what: string) => reason("mode_unavailable", what);
  const skill = skillOf(contract.intent);
  if (skill !== null && skill.fault !== null) return skillUnusable(skill.fault);
  if (contract.delegation_mode === "agent") {
    if (skill === null) return agentObstacle(deps, contract);
    return missing(`The skill ${skill.name} handles ${contract.intent}; use delegation_mode known_only.`);
  }
  if (skill !== null) {
    const isElsewhere = contract.execution_backend === "flowengine";
    return isElsewhere ? missing("A skill runs where orch runs; leave execution_backend out.") : null;
  }
  if (!VOCABULARY.has(contract.intent)) return missing(`No skill handles ${contract.intent} on this server.`);
  const backend = backendOf(contract);
  if (backend === null) return missing("This server has no flow engine: FLOWENGINE_URL is not set.");
  const [reference] = backend.remote ? engineReferences(contract) : [];
  return reference === undefined ? null : reason("engine_reference", `The contract: ${reference.reason}.`);
}

// Whether this server can run an agent task [1.A.5.agent_backend], before the agent makes any call.

type AgentAdmissionDeps = {
  readonly agent: {
    /** Null when no agent model is set. */
    readonly model: object | null;
    /** Why commands cannot be confined here; null when they can. */
    readonly shellFault: () => Promise<string | null>;
    readonly skill_tools: readonly { readonly scope: string }[];
  };
  readonly toolServers: Pick<ToolServers, "names">;
};

const NO_MODEL = "This server has no agent model: AGENT_MODEL is not set, and neither is ROUTING_MODEL.";

async function agentObstacle(
  { agent, toolServers }: AgentAdmissionDeps,
  contract: TaskContract,
): Promise<Reason | null> {
  const missing = (what: string) => reason("mode_unavailable", what);
  if (agent.model === null) return missing(NO_MODEL);
  if (contract.execution_backend === "flowengine") {
    return missing("An agent runs where orch runs; leave execution_backend out.");
  }
  const scope = scopeOf(contract);
  const shell_fault = scope.has("shell") ? await agent.shellFault() : null;
  if (shell_fault !== null) return missing(`An agent gets no shell here: ${shell_fault}`);
  const has = (name: string): boolean => scope.has(name.toLowerCase());
  const isEquipped =
    has("shell") || [...toolServers.names].some(has) || agent.skill_tools.some((tool) => has(tool.scope));
  const nothing = "implicit_scope names nothing that an agent could use: shell, or a tool server of this server.";
  return isEquipped ? null : reason("outside_scope", nothing);
}
