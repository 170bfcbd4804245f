// The arithmetic of the scorecard: what a ratio of few cases shows, how long tasks took, and the weeks in which they ended.

export const quotient = (part: number, all: number): number | null => (all === 0 ? null : part / all);

export const percent = (ratio: number | null): string => (ratio === null ? "-" : `${Math.round(ratio * 1000) / 10} %`);

// Wilson's bounds of a ratio, each one-sided at 95 %. One success of one is no proof.

export const Z = 1.645;

export type Bounds = { readonly lower: number; readonly upper: number };

/** Between the two lies the true ratio, as far as `good` of `all` shows it. Without cases, anywhere. */
export function wilson(good: number, all: number): Bounds {
  if (all === 0) return { lower: 0, upper: 1 };
  const ratio = good / all;
  const weight = Z ** 2 / all;
  const middle = ratio + weight / 2;
  const spread = Z * Math.sqrt((ratio * (1 - ratio)) / all + weight / (4 * all));
  return {
    lower: Math.max(0, (middle - spread) / (1 + weight)),
    upper: Math.min(1, (middle + spread) / (1 + weight)),
  };
}

// How long tasks took, so that a database can count it: ranks of a logarithm, of which a percentile is good to a twentieth.

const PER_DOUBLING = 8;

export const tookRank = (ms: number): number => Math.round(PER_DOUBLING * Math.log2(Math.max(0, ms) + 1));

const msOf = (rank: number): number => Math.round(2 ** (rank / PER_DOUBLING) - 1);

export type Took = { readonly rank: number; readonly tasks: number };

/** The time that `share` of the tasks took at most; null without tasks. */
export function percentile(took: readonly Took[], share: number): number | null {
  const all = took.reduce((total, { tasks }) => total + tasks, 0);
  let seen = 0;
  for (const { rank, tasks } of [...took].sort((a, b) => a.rank - b.rank)) {
    seen += tasks;
    if (seen >= all * share) return msOf(rank);
  }
  return null;
}

// The weeks of ISO 8601, in UTC: from Monday, and named by the year in which their Thursday lies.

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** `2026-W09`: as text, weeks sort by time. */
export function weekOf(at: string | Date): string {
  const thursday = thursdayOf(new Date(at));
  const year = thursday.getUTCFullYear();
  const nth = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK_MS) + 1;
  return `${year}-W${String(nth).padStart(2, "0")}`;
}

/** The week of `now` and those before it, oldest first. */
export const weeksUntil = (now: Date, count: number): string[] =>
  Array.from({ length: count }, (_, nth) => weekOf(new Date(now.getTime() - (count - 1 - nth) * WEEK_MS)));

function thursdayOf(date: Date): Date {
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  // Monday is 0.
  const weekday = (date.getUTCDay() + 6) % 7;
  return new Date(midnight + (3 - weekday) * DAY_MS);
}
