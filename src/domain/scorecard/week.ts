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
