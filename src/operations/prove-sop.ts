// prove_sop: gathers what is known of a version on its target, and keeps its level.
import { gatherProof } from "../tasks/sop-proof.ts";
import type { OperationHandler } from "./operation.ts";
import type { proveSop } from "./shapes/sop-proofs.ts";
import { sopOf } from "./sops.ts";

export const handleProveSop: OperationHandler<typeof proveSop> =
  (deps) =>
  async ({ sop_id }, { signal }) => {
    const sop = await sopOf(deps, sop_id);
    const { proof, findings, changes } = await gatherProof(deps, sop, signal);
    // The version may have been settled in the meantime: then its level stays as it was.
    if (changes.length > 0 && !signal.aborted)
      await deps.store.commit({ thread_id: `prove/${sop_id}`, after: null, events: [], changes });
    return { sop: await sopOf(deps, sop_id), proof, findings: [...findings] };
  };
