// Computes when a schedule is due (D-304): an interval counts from when it was added, so that it does not drift; a cron
// expression follows the clock of its time zone.
import type { FieldIssue } from "../../domain/errors.ts";
import { cronIn, isTimezone, wallCron } from "../../engine/tasks/wall-clock.ts";
import { intervalMs, MIN_INTERVAL_MS, type Schedule } from "./schedule.ts";

type When = Pick<Schedule, "every" | "cron" | "timezone">;

/** Five fields, or six with the seconds first, or a name such as @daily. */
const CRON = /^(@[a-z]{1,12}|\S{1,64}( \S{1,64}){4,5})$/i;
const LOOKED_AT = 50;
/** A longer outage is not counted on: one run takes a third of a millisecond to compute. */
const MOST_MISSED = 2_000;
const PER_TURN = 50;

/** What is wrong with the fields; none for times that come. */
export function whenIssues({ every, cron, timezone }: When, now: Date): FieldIssue[] {
  if (every !== null && cron !== null)
    return [{ path: "cron", message: "cannot be given with every; give one of them" }];
  if (every !== null)
    return timezone === null
      ? []
      : [{ path: "timezone", message: "belongs to cron; an interval has none, leave it out" }];
  if (cron === null)
    return [{ path: "every", message: 'is required, such as "5m"; or give cron, such as "0 3 * * *"' }];
  if (timezone !== null && !isTimezone(timezone))
    return [{ path: "timezone", message: "must be a time zone of IANA, such as Europe/Berlin or UTC" }];
  return cronIssues(cron, timezone ?? "UTC", now);
}

function cronIssues(cron: string, timezone: string, now: Date): FieldIssue[] {
  const path = "cron";
  if (!CRON.test(cron))
    return [{ path, message: 'must be five fields: minute, hour, day, month, weekday; such as "0 3 * * *"' }];
  try {
    const runs = cronIn(cron, timezone).nextRuns(LOOKED_AT, now);
    if (runs.length === 0) return [{ path, message: "names a time that never comes" }];
    const gaps = runs.slice(1).map((run, nth) => run.getTime() - (runs[nth]?.getTime() ?? 0));
    return gaps.some((gap) => gap < MIN_INTERVAL_MS)
      ? [{ path, message: `is due more often than every ${MIN_INTERVAL_MS / 1000} s; make it rarer` }]
      : [];
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : "it cannot be read";
    return [{ path, message: `is no cron expression: ${why}` }];
  }
}

const whole = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000);

/** The first due time after `at`; `since` is a due time, or when the schedule was added. Null when none comes. */
export function nextDue({ every, cron, timezone }: When, since: string, at: Date): string | null {
  if (cron !== null)
    return (
      wallCron(cron, timezone ?? "UTC")
        .next(at)
        ?.toISOString() ?? null
    );
  const ms = intervalMs(every ?? "") ?? MIN_INTERVAL_MS;
  const begun = whole(new Date(since)).getTime();
  const passed = Math.max(0, Math.floor((at.getTime() - begun) / ms));
  return new Date(begun + (passed + 1) * ms).toISOString();
}

export type Due = {
  /** The newest due time that has come. */
  readonly due: string;
  /** Those before it that nothing was done about; 2,000 may be more. */
  readonly missed: number;
  readonly next_due: string | null;
};

/** `first` is a due time that has come. */
export async function dueAt(when: When, first: string, now: Date): Promise<Due> {
  if (when.cron === null) {
    const ms = intervalMs(when.every ?? "") ?? MIN_INTERVAL_MS;
    const missed = Math.max(0, Math.floor((now.getTime() - Date.parse(first)) / ms));
    const due = Date.parse(first) + missed * ms;
    return { due: new Date(due).toISOString(), missed, next_due: new Date(due + ms).toISOString() };
  }
  const cron = wallCron(when.cron, when.timezone ?? "UTC");
  let [due, missed] = [new Date(first), 0];
  let next = cron.next(due);
  for (; next !== null && next <= now && missed < MOST_MISSED; next = cron.next(due)) {
    [due, missed] = [next, missed + 1];
    if (missed % PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  if (next !== null && next <= now) {
    due = cron.newest(now) ?? due;
    next = cron.next(due);
  }
  return { due: due.toISOString(), missed, next_due: next?.toISOString() ?? null };
}
