// What a human is shown of a version that was set back (D-294), and of the steps that a rollback brings back (D-293).
import { z } from "zod";
import { SopProof } from "./sop-proof.ts";
import { Verification } from "./verification.ts";

/** Older ones are in the evidence of their tasks. */
export const MOST_SHOWN = 20;

const Count = z.int().min(0);

/** Kept in approvals and journals, so it changes less than the record of a scorecard does. */
export const RecordOfVersion = z.strictObject({
  since: z.string().nullable().describe("its last approval, when only the runs after it count; null: all of them"),
  runs: Count.describe("that tried the procedure; a fault of an engine is none"),
  passed: Count,
  streak: Count.describe("failures since the last run that passed"),
  verified: Count.describe("DONE, and found right outside of orch"),
  refuted: Count.describe("DONE, and found wrong outside of orch"),
});
export type RecordOfVersion = z.infer<typeof RecordOfVersion>;

/** A version that was in use before, whose steps may be used again. */
const EarlierVersion = z.strictObject({ sop_id: z.string(), version: z.int() });

export const SetBack = z.strictObject({
  rule: z.enum(["refuted", "failing"]),
  why: z.string().describe("the rule with its numbers"),
  holds: z
    .boolean()
    .describe(
      "false when the record does not call for it any more: what was found was corrected, or other runs ended well",
    ),
  record: RecordOfVersion,
  refutations: z
    .array(z.strictObject({ task_id: z.string(), verification: Verification }))
    .describe(`what was found wrong outside of orch, newest first, at most ${MOST_SHOWN}`),
  failures: z
    .array(z.strictObject({ task_id: z.string(), ended_at: z.string(), reason_code: z.string() }))
    .describe(`its runs that failed, newest first, at most ${MOST_SHOWN}`),
  earlier: EarlierVersion.nullable().describe("the version in use before it, for rollback_sop"),
});
export type SetBack = z.infer<typeof SetBack>;

export const Rollback = z.strictObject({
  to: EarlierVersion.describe("whose steps it has"),
  from: EarlierVersion.nullable().describe("the version in use, or the one that was set back"),
  diff: SopProof.shape.diff.describe("from that version to this one, by step"),
  record: RecordOfVersion.describe("of the earlier version"),
});
export type Rollback = z.infer<typeof Rollback>;
