// What the journal of a freeze records, and that of a task which was held back.
import { z } from "zod";
import { HeldBy } from "../../domain/hold.ts";
import { Freeze } from "./freeze.ts";

const { intent, target_signature, except_diagnostics, reason, frozen_by } = Freeze.shape;

export const FREEZE_EVENTS = {
  frozen: z
    .strictObject({ intent, target_signature, except_diagnostics, reason, frozen_by })
    .describe("a message to the supervisor: from now on no task that it holds takes its first step"),
  thawed: z.strictObject({ thawed_by: z.string() }).describe("a message to the supervisor: what was held starts now"),
  held_back: HeldBy.describe("a freeze came between the claim and the first step: the claim was given back"),
} as const;
