// [3.update.6] Approved: the candidate becomes active. Rejected or expired: the previous version is active again (D-020),
// because a refused edit must not remove a working procedure.
import { reason } from "../../src/domain/outcome.ts";
import { activation, replacementOf, restoration } from "../../src/tasks/sop-versions.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";

export const settleReplacement =
  (deps: PipelineDeps) =>
  async ({ contract, decision }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const { candidate, previous } = await replacementOf(deps.store, journal.projection);
    const approved = decision === "approve";
    if (candidate.status === "candidate") {
      const moves = approved
        ? await activation(deps.store, candidate)
        : await restoration(deps.store, candidate, previous);
      await journal.commit(moves.events, moves.changes);
    }
    if (!approved) return {};
    return { reason: reason("sop_replaced", `Version ${candidate.version} of ${candidate.intent} is active.`) };
  };
