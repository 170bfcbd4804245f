// The facts of a promotion, and what its nodes are given.
import { StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import type { PipelineDeps } from "./pipeline-deps.ts";

export const PromotionState = new StateSchema({
  sop_id: z.string(),
  approval_id: z.string().optional(),
  decision: z.enum(["approve", "reject"]).optional(),
});
export type Promotion = typeof PromotionState.State;
export type PromotionFacts = typeof PromotionState.Update;

export type PromotionDeps = Pick<PipelineDeps, "store" | "threadOf" | "clock" | "new_id" | "approval_ttl_ms">;
