// Whether this server can accept a contract at all, before its steps are judged.
import { INTENTS, type TaskContract } from "../domain/contract.ts";
import { type Reason, reason } from "../domain/outcome.ts";
import { engineReferences } from "../policy/engine-references.ts";
import type { ExecutionBackend, Skill } from "../ports.ts";
import { type AgentAdmissionDeps, agentObstacle } from "./agent-admission.ts";

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
