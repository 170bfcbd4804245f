// What a human is shown of a version that was set back (D-294), and of the steps that a rollback brings back (D-293).
import { z } from "zod";
import { call, type NextAction } from "./next-action.ts";
import { nextByReason } from "./next-by-reason.ts";
import { SopProof } from "./sop-proof.ts";
import { Verification } from "./verification.ts";

// What the supervisor may do about a version that was set back, or that fails and stays in use (D-294).

/** The evidence of all runs would be a list that hides what there is to decide. */
const MOST_NAMED = 3;

const look = (tasks: readonly string[]): NextAction[] =>
  tasks
    .slice(0, MOST_NAMED)
    .map((task_id) => call("get_evidence", { task_id }, `Look at what was done in task ${task_id}.`));

const goBack = (earlier: SetBack["earlier"]): NextAction[] =>
  earlier === null
    ? []
    : [call("rollback_sop", { sop_id: earlier.sop_id }, `Or have the steps of version ${earlier.version} used again.`)];

/** The evidence first: what is decided on follows from it. */
export function nextOfSetBack(thread_id: string, approval_id: string, set_back: SetBack): NextAction[] {
  const { refutations, failures, earlier } = set_back;
  const tasks = [...refutations, ...failures].map(({ task_id }) => task_id);
  const decide = nextByReason("sop_set_back", { thread_id, approval_id, step_index: null });
  return [...look([...new Set(tasks)]), ...decide, ...goBack(earlier)];
}

type Failing = { readonly tasks: readonly string[]; readonly earlier: SetBack["earlier"] };

export const nextOfFailing = ({ tasks, earlier }: Failing): NextAction[] => [
  ...look(tasks),
  ...nextByReason("sop_failing", { thread_id: "", approval_id: null, step_index: null }),
  ...goBack(earlier),
];

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
