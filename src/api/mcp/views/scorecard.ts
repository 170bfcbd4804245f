// The scorecard as a model reads it: the targets with the first of what costs most, and of each row what is judged.
import { z } from "zod";
import { ScoreTarget } from "../../../domain/scorecard/targets.ts";
import { getScorecard } from "../../../features/scorecard/shapes.ts";
import { picked, viewOf } from "./view.ts";

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

const shortRow = (row: Row): z.infer<typeof ShortRow> => ({
  ...picked(ShortRow, row),
  lower: rounded(row.lower),
  upper: rounded(row.upper),
  intervention: row.intervention === null ? null : rounded(row.intervention),
});

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
