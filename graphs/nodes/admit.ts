// Who handles the task, from the contract alone. Scope is judged with the plan, in check_policy.
import type { TaskContract } from "../../src/domain/contract.ts";
import type { Facts, Pipeline } from "../state.ts";
import { because } from "../why.ts";
import type { PipelineDeps } from "./pipeline-deps.ts";

export const admit =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    if (contract.intent === "update_sop") return { path: "update_sop" };
    const missing = missingFor(deps, contract);
    if (missing === null) return { path: "sop" };
    return { path: "unavailable", why: because("mode_unavailable", `This version of orch has no ${missing} yet.`) };
  };

/** Whatever the server is configured with. */
function missingMode({ delegation_mode, intent }: TaskContract): string | null {
  if (delegation_mode === "agent") return "agent mode";
  return intent === "reorganize_notes_tree" ? "skill handler for reorganize_notes_tree" : null;
}

/** What a contract needs and this server does not have. */
export function missingFor({ backendOf }: Pick<PipelineDeps, "backendOf">, contract: TaskContract): string | null {
  const mode = missingMode(contract);
  if (mode !== null) return mode;
  return backendOf(contract) === null ? `execution backend ${contract.execution_backend ?? "of that name"}` : null;
}
