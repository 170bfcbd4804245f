// What the page shows is in its address: how many weeks, of which group, and what the rows are by.
import type { Input } from "../../typed-operations.ts";

export const WEEKS = [4, 8, 13, 26, 53] as const;
export const BYS = ["sop", "target", "intent"] as const;
export const GROUPS = ["agent", "teach", "known", "skill", "update"] as const;

export type By = (typeof BYS)[number];
type Group = (typeof GROUPS)[number];

export type ScorecardFilter = {
  readonly weeks?: number | undefined;
  readonly by?: By | undefined;
  readonly group?: Group | undefined;
};

const WEEKS_SHOWN = 8;

/** Anything else in the address is as if it was not there. */
export const readScorecardFilter = ({ weeks, by, group }: Record<string, unknown>): ScorecardFilter => ({
  weeks: WEEKS.find((known) => known === weeks),
  by: BYS.find((known) => known === by),
  group: GROUPS.find((known) => known === group),
});

export const scorecardInput = (
  { weeks = WEEKS_SHOWN, group }: ScorecardFilter,
  by: By | "week",
): Input<"get_scorecard"> => ({ weeks, by, group });
