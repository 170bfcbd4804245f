// get_scorecard and rebuild_scorecard: whether the service meets its targets [8.target.T1], and what to correct where it does not.
import { z } from "zod";
import { READ, shape, type Tags } from "../../api/operations/operation.ts";
import { EVENT_BODIES } from "../../domain/journal.ts";
import { Measures } from "../../domain/scorecard/rows.ts";
import { ScoreTarget } from "../../domain/scorecard/targets.ts";
import { COHORTS } from "../../domain/scorecard/task-score.ts";

const Row = z.strictObject({
  of: z.string().describe("the week, group, intent, target or version"),
  sop_id: z.string().nullable(),
  sop_version: z.int().nullable(),
  ...Measures.shape,
  by_week: z.array(z.number().nullable()).describe("verified over DONE in each of the weeks; null without a DONE"),
});

const Debt = z.strictObject({
  about: z.string(),
  sop_id: z.string().nullable(),
  unverified: z.int().min(1).describe("DONE without an external verification; list_tasks names them"),
  oldest_week: z.string(),
});

const Repeated = z.strictObject({
  about: z.string(),
  taught: z.int().min(1).describe("more than once is a teaching that was not kept"),
  turned_down: z.int().min(0).describe("versions that were taught and rejected"),
});

const SameSteps = z.strictObject({
  intent: z.string(),
  targets: z.array(z.string()).describe("of active procedures with the same steps: one may be parametrised for all"),
});

const Count = z.int().min(0);

export const getScorecard = shape({
  name: "get_scorecard",
  summary: "Which targets of the service are met, and what costs most.",
  method: "GET",
  path: "/v1/scorecard",
  scope: "read",
  hints: READ,
  input: z.strictObject({
    weeks: z.int().min(1).max(53).default(8).describe("This week included."),
    by: z.enum(["week", "group", "intent", "target", "sop"]).default("week").describe("One row for each."),
    // Plain texts: words of a vocabulary would cost every model that reads the list of tools.
    intent: z.string().max(64).optional().describe("Only this."),
    target_signature: z.string().max(8192).optional().describe("Only this."),
    sop_id: z.string().max(64).optional().describe("Only this."),
    group: z.enum(COHORTS).optional().describe("Only this."),
  }),
  output: z.strictObject({
    weeks: z.array(z.string()).describe("of ISO 8601, oldest first; the last one is not over"),
    targets: z.array(ScoreTarget),
    groups: z.array(Row).describe("all tasks, then each group by itself"),
    rows: z.array(Row),
    left_out: Count.describe("further rows, with less at stake than those shown"),
    debt: z.array(Debt).describe("what was never looked at from outside, most first"),
    repeated: z.array(Repeated),
    same_steps: z.array(SameSteps),
    sops: z.strictObject({ active: Count, candidates: Count, oldest_candidate_at: z.string().nullable() }),
    anchor: EVENT_BODIES.anchored
      .omit({ previous: true })
      .nullable()
      .describe("the newest root over all journals; null before the first"),
    behind: Count.describe("events that are not counted yet; ask again"),
  }),
  example: { weeks: 8, by: "intent" },
});

export const rebuildScorecard = shape({
  name: "rebuild_scorecard",
  summary: "Count everything again.",
  method: "POST",
  path: "/v1/scorecard/rebuild",
  scope: "submit",
  hints: { read_only: false, destructive: false, idempotent: true },
  input: z.strictObject({}),
  output: z.strictObject({ behind: Count.describe("events that are still to be counted") }),
  example: {},
});

export const SCORECARD_SHAPES = [getScorecard, rebuildScorecard] as const;

/** By the first part of the path. */
export const SCORECARD_TAGS: Tags = { scorecard: ["Scorecard", "Whether the service meets its targets."] };
