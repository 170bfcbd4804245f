// rollback_sop: a new version with the steps of an earlier one of its key, promoted by approval (D-293).
import { OrchError } from "../domain/errors.ts";
import type { Sop } from "../domain/sop.ts";
import type { Store } from "../ports.ts";
import { wasInUse } from "../tasks/active-sop.ts";
import { rollbackOf } from "../tasks/sop-versions.ts";
import type { OperationHandler } from "./operation.ts";
import type { rollbackSop } from "./shapes/sop-proofs.ts";
import { sopOf } from "./sops.ts";
import { teachSop } from "./teach.ts";

export const handleRollbackSop: OperationHandler<typeof rollbackSop> =
  (deps) =>
  async ({ sop_id }, { signal }) => {
    const earlier = await sopOf(deps, sop_id);
    const fault = (await faultOf(deps.store, earlier)) ?? (await repetitionOf(deps.store, earlier));
    if (fault !== null) {
      const issues = [{ path: "sop_id", message: fault }];
      throw new OrchError("sop_conflict", `orch did not roll back to SOP ${sop_id}. sop_id: ${fault}`, { issues });
    }
    const { intent, target, steps, safety_level, preconditions, level, trial_left } = earlier;
    const criteria = Object.fromEntries(earlier.criteria.map(({ criterion, step_index }) => [criterion, step_index]));
    const definition = { steps, criteria, safety_level, preconditions };
    // The same steps on the same target: what a run has shown of them holds as far as it did.
    const taught = {
      intent,
      target,
      definition,
      origin: { by: "rollback", sop_id } as const,
      known: { level, trial_left },
    };
    const stored = await teachSop(deps, taught, signal);
    const rollback = await rollbackOf(deps.store, stored.sop);
    if (rollback === null) throw new Error(`SOP ${stored.sop.sop_id} is no rollback`);
    return { ...stored, rollback };
  };

async function faultOf(store: Store, sop: Sop): Promise<string | null> {
  const { version, status } = sop;
  if (status === "active")
    return `version ${version} is in use; name the earlier version whose steps are to be used again`;
  if (status === "candidate") return `version ${version} waits for its approval; approve it instead`;
  if (await wasInUse(store, sop)) return null;
  return `version ${version} was never in use; teach its steps instead`;
}

/** A second request would ask the same question again (D-023). */
async function repetitionOf(
  store: Store,
  { intent, target_signature, steps_digest, version }: Sop,
): Promise<string | null> {
  const versions = await store.listSops({ intent, target_signature, limit: 1000 });
  const same = versions.find((one) => one.status !== "deprecated" && one.steps_digest === steps_digest);
  if (same === undefined) return null;
  const is = same.status === "active" ? "is in use" : "waits for its approval";
  return `version ${same.version} has the steps of version ${version} and ${is}`;
}
