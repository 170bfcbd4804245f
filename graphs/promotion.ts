// Promotion of a candidate SOP [3.sop.promote], on a thread of its own: no task's `ok` waits for it.
import { type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import { factOf, traced } from "./node.ts";
import {
  awaitPromotion,
  type Promotion,
  type PromotionDeps,
  PromotionState,
  proveCandidate,
  requestPromotion,
  settlePromotion,
} from "./nodes/promote-candidate.ts";

export const buildPromotionGraph = (deps: PromotionDeps, checkpointer?: BaseCheckpointSaver) =>
  new StateGraph(PromotionState)
    .addNode(
      traced({
        prove: proveCandidate(deps),
        request_promotion: requestPromotion(deps),
        await_promotion: awaitPromotion(deps),
        activate_sop: settlePromotion(deps, "active"),
        deprecate_sop: settlePromotion(deps, "deprecated"),
      }),
    )
    .addEdge(START, "prove")
    .addConditionalEdges("prove", proofIs, {
      gathered: "request_promotion",
      // SOP_PROMOTION=proved_only
      not_enough: "deprecate_sop",
      suspended: END,
    })
    .addConditionalEdges("request_promotion", requestIs, { open: "await_promotion", settled: END })
    .addConditionalEdges("await_promotion", decisionIs, { approve: "activate_sop", reject: "deprecate_sop" })
    // What would be replaced is not what was approved: the human is asked again.
    .addConditionalEdges("activate_sop", activationIs, { done: END, stale: "prove" })
    .addEdge("deprecate_sop", END)
    .compile(checkpointer === undefined ? {} : { checkpointer });

const proofIs = (state: Promotion) => factOf(state, "proof", "prove");
const requestIs = (state: Promotion) => factOf(state, "request", "request_promotion");
const activationIs = (state: Promotion) => factOf(state, "activation", "activate_sop");
const decisionIs = (state: Promotion) => factOf(state, "decision", "await_promotion");
