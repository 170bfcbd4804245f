// Who handles the task, from the contract alone. Scope is judged with the plan, in check_policy.
import type { TaskContract } from "../../src/domain/contract.ts";
import { hasStarted } from "../../src/domain/progress.ts";
import type { Facts, Pipeline } from "../state.ts";
import { because } from "../why.ts";
import { type PipelineDeps, pinnedTo } from "./pipeline-deps.ts";

export const admit =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    if (contract.intent === "update_sop") return { path: "update_sop" };
    const { journal } = await deps.threadOf(contract.task_id);
    const missing = missingFor(deps, pinnedTo(contract, journal.events));
    // What has begun is seen to its end, or asked about.
    if (missing === null || hasStarted(journal.events)) return { path: "sop" };
    return { path: "unavailable", why: because("mode_unavailable", missing) };
  };

/** What a contract needs and this server does not have, in a sentence. */
export function missingFor({ backendOf }: Pick<PipelineDeps, "backendOf">, contract: TaskContract): string | null {
  if (contract.delegation_mode === "agent") return "This version of orch has no agent mode yet.";
  if (contract.intent === "reorganize_notes_tree") return "This version of orch has no skill handler for it yet.";
  return backendOf(contract) === null ? "This server has no flow engine: FLOWENGINE_URL is not set." : null;
}
