// Waits for the decision on a promotion. Like every wait it is alone in its node.
import { interrupt } from "@langchain/langgraph";
import { promotionThread } from "../../src/domain/thread-id.ts";
import type { Promotion, PromotionDeps, PromotionFacts } from "../promotion-state.ts";
import { approvalQuestion, decideInline } from "./await-approval.ts";

export const awaitPromotion =
  (deps: PromotionDeps) =>
  async ({ sop_id, approval_id = "" }: Promotion): Promise<PromotionFacts> => {
    const thread_id = promotionThread(sop_id);
    const { journal } = await deps.threadOf(thread_id);
    const before = journal.projection.approvals.decisions.get(approval_id);
    if (before !== undefined) return { decision: before.decision };
    const approval = await deps.store.findApproval(approval_id);
    if (approval === null) throw new Error(`approval ${approval_id} was requested and is not stored`);
    const answer = interrupt(approvalQuestion(approval));
    const { decision } = await decideInline(deps, await deps.threadOf(thread_id), approval_id, answer);
    return { decision };
  };
