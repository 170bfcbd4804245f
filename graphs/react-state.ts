// The facts that pass between the nodes of the ReAct loop. What the model and the calls have said is in the journal.
import { StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { TaskContract } from "../src/domain/contract.ts";
import { Reason } from "../src/domain/reason.ts";

export const ReactState = new StateSchema({
  /** The input, and all of it. */
  contract: TaskContract,
  /** What came from the model. */
  reply: z.enum(["calls", "no_calls", "over"]).optional(),
  /** What policy says of its calls; `settled` when each is allowed, refused, or no call at all. */
  permission: z.enum(["settled", "ask", "over"]).optional(),
  calls: z.enum(["made", "outcome_unknown", "over"]).optional(),
  approval_id: z.string().optional(),
  decision: z.enum(["approve", "reject"]).optional(),
  /** The call of which nobody knows what became of it. */
  step_index: z.int().optional(),
  reason: Reason.optional(),
});

export type React = typeof ReactState.State;
export type ReactFacts = typeof ReactState.Update;
