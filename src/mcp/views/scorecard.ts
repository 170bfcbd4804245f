// The scorecard as a model reads it: the targets with the first of what costs most, and of each row what is judged.
import { z } from "zod";
import { ScoreTarget } from "../../domain/scorecard/targets.ts";
import { getScorecard } from "../../operations/shapes/scorecard.ts";
import { viewOf } from "./view.ts";

const WORST = 2;
const ROWS = 12;
const LISTED = 8;

const { output } = getScorecard;
type Row = z.infer<typeof output>["rows"][number];

const ShortRow = output.shape.rows.element.pick({
  of: true,
  sop_id: true,
  tasks: true,
  done: true,
  done_unseen: true,
  verified: true,
  refuted: true,
  unverified: true,
  lower: true,
  upper: true,
  broken: true,
  intervention: true,
});

const shortRow = (row: Row): z.infer<typeof ShortRow> => {
  const { of, sop_id, tasks, done, done_unseen, verified, refuted, unverified, broken } = row;
  const [lower, upper, intervention] = [rounded(row.lower), rounded(row.upper), row.intervention];
  return {
    of,
    sop_id,
    tasks,
    done,
    done_unseen,
    verified,
    refuted,
    unverified,
    lower,
    upper,
    broken,
    intervention: intervention === null ? null : rounded(intervention),
  };
};

const rounded = (ratio: number): number => Math.round(1000 * ratio) / 1000;

type Scorecard = z.infer<typeof output>;

export const shortScorecard = ({ targets, groups, rows, debt, repeated, same_steps, ...rest }: Scorecard) => ({
  ...rest,
  targets: targets.map(({ lower: _lower, upper: _upper, worst, ...target }) => ({
    ...target,
    worst: worst.slice(0, WORST),
  })),
  groups: groups.filter(({ tasks }) => tasks > 0).map(shortRow),
  rows: rows.slice(0, ROWS).map(shortRow),
  left_out: rest.left_out + Math.max(0, rows.length - ROWS),
  debt: debt.slice(0, LISTED),
  repeated: repeated.slice(0, LISTED),
  same_steps: same_steps.slice(0, LISTED),
});

export const scorecardView = viewOf(output, {
  output: output.extend({
    targets: z.array(ScoreTarget.omit({ lower: true, upper: true })),
    groups: z.array(ShortRow),
    rows: z.array(ShortRow),
  }),
  show: shortScorecard,
});
