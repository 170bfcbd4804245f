// The weeks as points of a curve: how much of what is done was verified, and how much of what was looked at was true.
import type { OperationAnswer } from "../../typed-operations.ts";

type WeekRow = OperationAnswer<"get_scorecard">["rows"][number];

export type TrendPoint = {
  readonly week: string;
  /** "W41", with the year in the first week of one. */
  readonly name: string;
  readonly done: number;
  readonly verified: number;
  readonly refuted: number;
  /** Verified over done; null without anything done. */
  readonly verified_part: number | null;
  /** Verified over looked at, with its interval; null where there was no look. */
  readonly true_part: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
};

export const trendPoints = (rows: readonly WeekRow[]): TrendPoint[] =>
  rows.map(({ of: week, done, verified, refuted, lower, upper }) => {
    const looked = verified + refuted;
    return {
      week,
      name: week.endsWith("W01") ? week : week.slice(5),
      done,
      verified,
      refuted,
      verified_part: done === 0 ? null : verified / done,
      true_part: looked === 0 ? null : verified / looked,
      ...(looked === 0 ? { lower: null, upper: null } : { lower, upper }),
    };
  });
