// The facts that pass between the nodes of the ReAct loop. Replies and results of calls are in the journal.
import { StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { TaskContract } from "../src/domain/contract.ts";
import { Reason } from "../src/domain/outcome.ts";

export const ReactState = new StateSchema({
  /** The whole input. */
  contract: TaskContract,
  /** The reply of the model. */
  reply: z.enum(["calls", "no_calls", "over"]).optional(),
  /** What policy says of its calls; `settled` when each is allowed, refused, or no call at all. */
  permission: z.enum(["settled", "ask", "over"]).optional(),
  calls: z.enum(["made", "outcome_unknown", "over"]).optional(),
  approval_id: z.string().optional(),
  decision: z.enum(["approve", "reject"]).optional(),
  /** The call of unknown outcome. */
  step_index: z.int().optional(),
  reason: Reason.optional(),
});

export type React = typeof ReactState.State;
export type ReactFacts = typeof ReactState.Update;
