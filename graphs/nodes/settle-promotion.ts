// Approved: the candidate becomes the active SOP [3.sop.promote], and the active one before it is deprecated. Otherwise the
// candidate is deprecated (D-019).
import { outcome } from "../../src/domain/outcome.ts";
import { promotionThread } from "../../src/domain/thread-id.ts";
import { activation, moved } from "../../src/tasks/sop-versions.ts";
import type { Promotion, PromotionDeps, PromotionFacts } from "../promotion-state.ts";

export const settlePromotion =
  (deps: PromotionDeps, status: "active" | "deprecated") =>
  async ({ sop_id, approval_id = "" }: Promotion): Promise<PromotionFacts> => {
    const thread_id = promotionThread(sop_id);
    const { journal } = await deps.threadOf(thread_id);
    for (;;) {
      const sop = await deps.store.findSop(sop_id);
      if (sop === null) throw new Error(`SOP ${sop_id} is to be settled and is not stored`);
      if (sop.status !== "candidate") return {};
      const about = `version ${sop.version} of ${sop.intent} on "${sop.target_signature}"`;
      const expired = journal.projection.approvals.decisions.get(approval_id)?.status === "expired";
      const reported =
        status === "active"
          ? outcome("ok", "promoted", `Promoted: ${about}.`, { thread_id })
          : outcome("blocked", expired ? "approval_expired" : "approval_rejected", `Not promoted: ${about}.`, {
              thread_id,
            });
      const moves = status === "active" ? await activation(deps.store, sop) : moved(sop, status, "promotion refused");
      // Otherwise the active SOP of this key has just changed: look again at what is to be replaced.
      const conflict = await journal.tryCommit([...moves.events, { kind: "reported", body: reported }], moves.changes);
      if (conflict === null) return {};
    }
  };
