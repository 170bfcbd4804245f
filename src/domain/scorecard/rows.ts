// The rows of the scorecard: the tasks of each week, group, intent, target or version, and the groups always apart [8.target.R4].
import { COHORTS } from "./cohort.ts";
import { sum } from "./counts.ts";
import type { KeyedTally } from "./kept-scores.ts";
import { type Measures, measuresOf } from "./measures.ts";
import { quotient } from "./target.ts";
import type { Took } from "./took.ts";

export type RowsBy = "week" | "group" | "intent" | "target" | "sop";

type ScoreRow = Measures & {
  readonly of: string;
  readonly sop_id: string | null;
  readonly sop_version: number | null;
  readonly by_week: (number | null)[];
};

type Given = {
  readonly tallies: readonly KeyedTally[];
  /** Of each value of what the rows are by. */
  readonly took: readonly (Took & { readonly of: string | null })[];
  readonly weeks: readonly string[];
  readonly by: RowsBy;
  readonly limit: number;
};

/** Those with most at stake first: false successes, then what was never looked at. Weeks and groups keep their order. */
export function rowsOf({ tallies, took, weeks, by, limit }: Given): { rows: ScoreRow[]; left_out: number } {
  const tookBy = Map.groupBy(took, ({ of }) => of);
  const row = (value: string | null, of_value: readonly KeyedTally[], times: readonly Took[]): ScoreRow => ({
    of: nameOf(by, value, of_value),
    sop_id: null,
    sop_version: null,
    ...(by === "sop" && { sop_id: value, sop_version: of_value[0]?.sop_version ?? null }),
    ...measuresOf(of_value, times),
    by_week: weeks.map((week) => verifiedIn(of_value.filter((tally) => tally.week === week))),
  });
  const found = Map.groupBy(tallies, (tally) => VALUE_OF[by](tally));
  if (by === "week") return whole(weeks.map((week) => row(week, found.get(week) ?? [], tookBy.get(week) ?? [])));
  if (by === "group") {
    const groups = COHORTS.map((cohort) => row(cohort, found.get(cohort) ?? [], tookBy.get(cohort) ?? []));
    return whole([row("all", tallies, took), ...groups]);
  }
  const rows = [...found].map(([value, of_value]) => row(value, of_value, tookBy.get(value) ?? []));
  const sorted = rows.sort((a, b) => b.refuted - a.refuted || b.unverified - a.unverified || b.tasks - a.tasks);
  return { rows: sorted.slice(0, limit), left_out: Math.max(0, sorted.length - limit) };
}

const whole = (rows: ScoreRow[]) => ({ rows, left_out: 0 });

const VALUE_OF: Readonly<Record<RowsBy, (tally: KeyedTally) => string | null>> = {
  week: ({ week }) => week,
  group: ({ cohort }) => cohort,
  intent: ({ intent }) => intent,
  target: ({ target_signature }) => target_signature,
  sop: ({ sop_id }) => sop_id,
};

function nameOf(by: RowsBy, value: string | null, [one]: readonly KeyedTally[]): string {
  if (by !== "sop") return value ?? "";
  if (value === null || one === undefined) return "without a stored version";
  return `${one.intent} on "${one.target_signature}" v${one.sop_version}`;
}

function verifiedIn(tallies: readonly KeyedTally[]): number | null {
  const { done, verified } = sum(tallies);
  return quotient(verified, done);
}
