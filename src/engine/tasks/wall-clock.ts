// Computes when a cron expression comes by the clock of a time zone (D-304). A local time that the clocks leave out comes at the end of
// the gap; one that comes twice counts once. An expression of every hour names no time of day and follows the elapsed time.
import { Cron } from "croner";

/** A local time, as the milliseconds that UTC would have at it. */
type Local = number;

const HOUR_MS = 3_600_000;
/** A moment of a local time is at most 14 hours before, and 12 hours after the same time in UTC. */
const AROUND_MS = 26 * HOUR_MS;

export function zoneClock(timezone: string) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });

  function localAt(at: Date): Local {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  }
  const offsetAt = (ms: number): number => localAt(new Date(ms)) - Math.floor(ms / 1000) * 1000;

  /** Both moments of a local time, which are one unless it comes twice. */
  function momentsOf(local: Local): readonly number[] {
    const before = local - AROUND_MS;
    const after = local + AROUND_MS;
    const candidates = [offsetAt(before), offsetAt(after)].map((offset) => local - offset);
    const found = candidates.filter((ms) => localAt(new Date(ms)) === local);
    return found.length > 0 ? found : [changeIn(before, after)];
  }

  /** When the clocks change, by halves. */
  function changeIn(before: number, after: number): number {
    const offset = offsetAt(before);
    let [earlier, later] = [before, after];
    while (later - earlier > 1000) {
      const middle = earlier + Math.floor((later - earlier) / 2000) * 1000;
      if (offsetAt(middle) === offset) earlier = middle;
      else later = middle;
    }
    return later;
  }

  return {
    localAt,
    /** The first moment at which the clock shows that time, or a later one in place of it. */
    first: (local: Local): Date => new Date(Math.min(...momentsOf(local))),
    /** The last such moment: another one only where the time comes twice. */
    last: (local: Local): Date => new Date(Math.max(...momentsOf(local))),
  };
}

export function isTimezone(timeZone: string | undefined): timeZone is string {
  if (timeZone === undefined) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).format() !== "";
  } catch {
    return false;
  }
}

/** It starts no timer: nothing is to be called. */
export const cronIn = (expression: string, timezone: string): Cron => new Cron(expression, { timezone, paused: true });

export function wallCron(expression: string, timezone: string) {
  if (isOfEveryHour(expression)) {
    const cron = cronIn(expression, timezone);
    return { next: (at: Date) => cron.nextRun(at), newest: (at: Date) => beforeOrAt(cron, at) };
  }
  const { clock, ...local } = localCron(expression, timezone);
  return {
    next: (at: Date): Date | null => {
      // A time that the clock shows for the second time has come before.
      for (let time = local.after(clock.localAt(at)); time !== null; time = local.after(time)) {
        const moment = clock.first(time);
        if (moment > at) return moment;
      }
      return null;
    },
    newest: (at: Date): Date | null => {
      const time = local.begun(at);
      return time === null ? null : clock.first(time);
    },
  };
}

export function localCron(expression: string, timezone: string) {
  const clock = zoneClock(timezone);
  const cron = cronIn(expression, "UTC");
  const after = (local: Local): Local | null => cron.nextRun(new Date(local))?.getTime() ?? null;
  return {
    clock,
    after,
    /** The newest local time whose first moment has come: the clock may have been set back since. */
    begun: (at: Date): Local | null => {
      let time = beforeOrAt(cron, new Date(Math.max(clock.localAt(at), clock.localAt(back(at)) + AROUND_MS)));
      while (time !== null && clock.first(time.getTime()) > at) time = beforeOrAt(cron, back(time, 1_000));
      return time?.getTime() ?? null;
    },
  };
}

const back = (at: Date, ms = AROUND_MS): Date => new Date(at.getTime() - ms);

/** The runs before a time do not include it. */
const beforeOrAt = (cron: Cron, at: Date): Date | null =>
  cron.previousRuns(1, new Date(at.getTime() + 1_000))[0] ?? null;

/** Five fields, six with the seconds first, or a name. */
function isOfEveryHour(expression: string): boolean {
  const fields = expression.trim().split(/\s+/);
  const hour = fields.length === 6 ? fields[2] : fields[1];
  return /^@hourly$/i.test(expression.trim()) || /^(\*|\?|(\*|0-23)\/1|0-23)$/.test(hour ?? "");
}
