// A check that may prove nothing, or a call without one, as teach, import_sop and explain answer it.
import { z } from "zod";
import { PROOF_CLASSES } from "../../domain/proof.ts";

export const CheckWarning = z.strictObject({
  step_index: z.int(),
  proof: z.enum(PROOF_CLASSES).describe("what the check is worth so far; a run in which it is red before can raise it"),
  reason: z.string(),
  mends: z
    .array(z.strictObject({ text: z.string(), why: z.string() }))
    .describe("texts that do the same and can fail, for patterns that are known"),
});
