// Asks for the promotion of a candidate, once.
import { promotionThread } from "../../src/domain/thread-id.ts";
import { newApproval, requested } from "../../src/tasks/approval-record.ts";
import type { Promotion, PromotionDeps, PromotionFacts } from "../promotion-state.ts";

export const requestPromotion =
  (deps: PromotionDeps) =>
  async ({ sop_id }: Promotion): Promise<PromotionFacts> => {
    const { journal } = await deps.threadOf(promotionThread(sop_id));
    const asked = journal.projection.approvals.last;
    if (asked !== null) return { approval_id: asked.approval_id };
    const sop = await deps.store.findSop(sop_id);
    if (sop === null) throw new Error(`SOP ${sop_id} is to be promoted and is not stored`);
    const { intent, target_signature, version, steps, criteria, safety_level, preconditions } = sop;
    const content = {
      intent,
      target_signature,
      sop_id,
      sop_version: version,
      steps,
      criteria,
      safety_level,
      preconditions,
    };
    const approval = newApproval(deps, promotionThread(sop_id), "promotion", { ...content, findings: [] });
    await journal.commit([requested(approval)], [{ on: "approval_created", approval }]);
    return { approval_id: approval.approval_id };
  };
