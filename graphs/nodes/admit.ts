// Who handles the task, from the contract alone. Scope is judged with the plan, in check_policy.
import type { TaskContract } from "../../src/domain/contract.ts";
import { because, type Facts, type Pipeline } from "../state.ts";
import type { PipelineDeps } from "./pipeline-deps.ts";

export const admit =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    if (contract.intent === "update_sop") return { path: "update_sop" };
    const missing = missingFor(deps, contract);
    if (missing === null) return { path: "sop" };
    return { path: "unavailable", why: because("mode_unavailable", `This version of orch has no ${missing} yet.`) };
  };

function missingFor({ backendOf }: PipelineDeps, contract: TaskContract): string | null {
  if (contract.delegation_mode === "agent") return "agent mode";
  if (contract.intent === "reorganize_notes_tree") return "skill handler for reorganize_notes_tree";
  return backendOf(contract) === null ? `execution backend ${contract.execution_backend ?? "of that name"}` : null;
}
