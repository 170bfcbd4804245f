// Promotion of a candidate SOP [3.sop.promote], on a thread of its own: no task's `ok` waits for it.
import { type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import { type Edges, traced, withEdges } from "./node.ts";
import {
  awaitPromotion,
  type Promotion,
  type PromotionDeps,
  PromotionState,
  proveCandidate,
  requestPromotion,
  settlePromotion,
} from "./nodes/promote-candidate.ts";

const nodesOf = (deps: PromotionDeps) =>
  traced({
    prove: proveCandidate(deps),
    request_promotion: requestPromotion(deps),
    await_promotion: awaitPromotion(deps),
    activate_sop: settlePromotion(deps, "active"),
    deprecate_sop: settlePromotion(deps, "deprecated"),
  });

const EDGES: Edges<Promotion, keyof ReturnType<typeof nodesOf>> = {
  // SOP_PROMOTION=proved_only does not ask about a version of which too little is known.
  prove: { fact: "proof", next: { gathered: "request_promotion", not_enough: "deprecate_sop", suspended: END } },
  request_promotion: { fact: "request", next: { open: "await_promotion", settled: END } },
  await_promotion: { fact: "decision", next: { approve: "activate_sop", reject: "deprecate_sop" } },
  // What would be replaced is not what was approved: the human is asked again.
  activate_sop: { fact: "activation", next: { done: END, stale: "prove" } },
  deprecate_sop: END,
};

export function buildPromotionGraph(deps: PromotionDeps, checkpointer?: BaseCheckpointSaver) {
  const graph = new StateGraph(PromotionState).addNode(nodesOf(deps)).addEdge(START, "prove");
  return withEdges(graph, EDGES).compile(checkpointer === undefined ? {} : { checkpointer });
}
