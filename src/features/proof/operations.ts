// Handles the question of what is known of a stored procedure: its checks and previews run, and no step that changes something.
import type { HandlersOf, OperationHandler } from "../../api/operations/operation.ts";
import { sopOf } from "../../engine/tasks/active-sop.ts";
import { gatherProof } from "../../engine/tasks/sop-proof.ts";
import type { PROOF_SHAPES, proveSop } from "./shapes.ts";

const handleProveSop: OperationHandler<typeof proveSop> =
  (deps) =>
  async ({ sop_id }, { signal }) => {
    const sop = await sopOf(deps.store, sop_id);
    const { proof, findings, changes } = await gatherProof(deps, sop, signal);
    // The version may have been settled in the meantime: then its level stays as it was.
    if (changes.length > 0 && !signal.aborted)
      await deps.store.commit({ thread_id: `prove/${sop_id}`, after: null, events: [], changes });
    return { sop: await sopOf(deps.store, sop_id), proof, findings: [...findings] };
  };

export const PROOF_HANDLERS: HandlersOf<typeof PROOF_SHAPES> = {
  prove_sop: handleProveSop,
};
