// An edge chooses by a fact that a node reported, and by nothing else.
import { END, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { type Promotion, PromotionState } from "../../../graphs/promotion.ts";
import { withEdges } from "../../../graphs/state.ts";

type Reported = { readonly decision?: "approve" | "reject" };

/** A graph whose first node reports this. */
function reporting(reported: Reported) {
  const reached: string[] = [];
  const reach = (node: string) => async () => {
    reached.push(node);
    return {};
  };
  const graph = new StateGraph(PromotionState)
    .addNode({ asks: async () => reported, settle: reach("settle"), refuse: reach("refuse") })
    .addEdge(START, "asks");
  const built = withEdges<typeof graph, Promotion, "asks" | "settle" | "refuse">(graph, {
    asks: { fact: "decision", next: { approve: "settle", reject: "refuse" } },
    settle: END,
    refuse: END,
  });
  return { graph: built.compile(), reached };
}

describe("a fact", () => {
  test("that a node reported chooses the next node", async () => {
    const { graph, reached } = reporting({ decision: "reject" });
    await graph.invoke({ sop_id: "s-1" });
    expect(reached).toEqual(["refuse"]);
  });

  test("that no node reported fails the run with its name, and no end is guessed", async () => {
    const { graph, reached } = reporting({});
    await expect(graph.invoke({ sop_id: "s-1" })).rejects.toThrow("no fact decision: asks has reported none");
    expect(reached).toEqual([]);
  });
});
