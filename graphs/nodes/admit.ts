// Who handles the task, from the contract alone. Scope is judged with the plan, in check_policy.
import { INTENTS, type TaskContract } from "../../src/domain/contract.ts";
import { engineReferences } from "../../src/domain/policy/engine-references.ts";
import { hasStarted } from "../../src/domain/progress.ts";
import type { Facts, Pipeline } from "../state.ts";
import { because, type Why } from "../why.ts";
import { type AgentSurroundings, agentObstacle } from "./agent-obstacle.ts";
import { type PipelineDeps, pinnedTo } from "./pipeline-deps.ts";

export const admit =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    if (contract.intent === "update_sop") return { path: "update_sop" };
    const { journal } = await deps.threadOf(contract.task_id);
    if (contract.delegation_mode === "agent") {
      const isUnderWay = journal.events.some(({ kind }) => kind === "agent_replied");
      const why = isUnderWay ? null : await agentObstacle(deps, contract);
      return why === null ? { path: "agent" } : { path: "unavailable", why };
    }
    const hasSteps = journal.events.some(({ kind }) => kind === "skill_step_started");
    const isSkills = deps.skillOf(contract.intent) !== null || hasSteps;
    const why = await obstacleTo(deps, isSkills ? contract : pinnedTo(contract, journal.events));
    if (hasSteps || (isSkills && why === null)) return { path: "skill" };
    // What has begun is seen to its end, or asked about.
    return why === null || hasStarted(journal.events) ? { path: "sop" } : { path: "unavailable", why };
  };

const VOCABULARY: ReadonlySet<string> = new Set(INTENTS);

type Surroundings = Pick<PipelineDeps, "backendOf" | "skillOf"> & AgentSurroundings;

/** Why a contract cannot be taken up, whatever its steps are. */
export async function obstacleTo(deps: Surroundings, contract: TaskContract): Promise<Why | null> {
  const { backendOf, skillOf } = deps;
  const missing = (what: string) => because("mode_unavailable", what);
  if (contract.delegation_mode === "agent") return agentObstacle(deps, contract);
  if (skillOf(contract.intent) !== null) {
    const isElsewhere = contract.execution_backend === "flowengine";
    return isElsewhere ? missing("A skill runs where orch runs; leave execution_backend out.") : null;
  }
  if (!VOCABULARY.has(contract.intent)) return missing(`No skill handles ${contract.intent} on this server.`);
  const backend = backendOf(contract);
  if (backend === null) return missing("This server has no flow engine: FLOWENGINE_URL is not set.");
  const [reference] = backend.hands_over ? engineReferences(contract, []) : [];
  return reference === undefined ? null : because("engine_reference", `The contract: ${reference.reason}.`);
}
