// An edge chooses by a fact that a node reported, and by nothing else.
import { END, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { factOf } from "../../../graphs/node.ts";
import { PromotionState } from "../../../graphs/nodes/promote-candidate.ts";

type State = { readonly decision?: "approve" | "reject" | undefined };
const NOTHING: State = {};

describe("a fact", () => {
  test("is what the node reported", () => {
    expect(factOf({ decision: "reject" } satisfies State, "decision", "await_approval")).toBe("reject");
  });

  test("that no node reported is an error that names the fact and the nodes; no outcome is guessed", () => {
    expect(() => factOf(NOTHING, "decision", "await_approval")).toThrow(
      "no fact decision: await_approval has reported none",
    );
    expect(() => factOf(NOTHING, "decision", "await_approval", "await_replacement")).toThrow(
      "no fact decision: await_approval or await_replacement has reported none",
    );
  });

  test("that is missing fails the run of its graph, which reaches no end", async () => {
    let isSettled = false;
    const settle = async () => {
      isSettled = true;
      return {};
    };
    const graph = new StateGraph(PromotionState)
      .addNode({ forgetful: async () => ({}), settle })
      .addEdge(START, "forgetful")
      .addConditionalEdges("forgetful", (state) => factOf(state, "decision", "forgetful"), {
        approve: "settle",
        reject: "settle",
      })
      .addEdge("settle", END)
      .compile();
    await expect(graph.invoke({ sop_id: "s-1" })).rejects.toThrow("no fact decision: forgetful has reported none");
    expect(isSettled).toBe(false);
  });
});
