// How long a step may take: the default time limit, and the duration of a `wait` step, for example `30s` [2.step.value].
/** The limit of one command or one tool call [8.max_minutes]. The task as a whole has no limit. */
export const DEFAULT_MAX_MINUTES = 10;

/** How many of the first tries of a polled check are recorded, and how many of the last. */
export const TRIES_SHOWN = 10;

const MAX_WAIT_MS = 3_600_000;
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `30s` is 30000. Null when the text is not `<number>(ms|s|m|h)` or is longer than one hour. */
export function durationMs(text: string): number | null {
  const match = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text);
  if (match === null) return null;
  const ms = Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
  return ms <= MAX_WAIT_MS ? Math.round(ms) : null;
}
