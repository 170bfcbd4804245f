// The procedure of one task, as its journal pins it.
import { z } from "zod";
import { CriterionCheck, SafetyLevel } from "./sop.ts";
import { Steps } from "./step.ts";

/** The procedure that a task runs: a stored SOP, or the steps that the supervisor taught to this task. */
export const Procedure = z.strictObject({
  sop_id: z.string().nullable(),
  sop_version: z.int().nullable(),
  steps: Steps,
  criteria: z.array(CriterionCheck),
  safety_level: SafetyLevel,
  preconditions: z.array(z.string()),
  on_trial: z.literal(true).optional().describe("no run has proved it on this target, so its run asks for an approval"),
});
export type Procedure = z.infer<typeof Procedure>;
