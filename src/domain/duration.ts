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

/** The same as a pattern, for readers of the published schema. */
export const DURATION_PATTERN = `^(?:${[
  fractionsUpTo(MAX_WAIT_MS, "ms"),
  fractionsUpTo(MAX_WAIT_MS / UNITS.s, "s"),
  fractionsUpTo(MAX_WAIT_MS / UNITS.m, "m"),
  fractionsUpTo(MAX_WAIT_MS / UNITS.h, "h"),
].join("|")})$`;

/** What rounds to 0 ms. Not a lookahead in the other one: generators of values know none. */
export const ZERO_PATTERN = "^0+(?:\\.0+)?[a-z]+$|^0+\\.[0-4]\\d*ms$";

function fractionsUpTo(most: number, unit: string): string {
  return `(?:${wholeUpTo(most - 1, 7)}(?:\\.\\d{1,3})?|${wholeUpTo(most, 7)}(?:\\.0{1,3})?)${unit}`;
}

/** A pattern of the whole numbers from 0, with zeros before them up to so many digits. */
export function wholeUpTo(most: number, digits: number): string {
  const text = String(most);
  const forms = [...text].flatMap((digit, at) => {
    const rest = text.length - at - 1;
    return digit === "0" ? [] : [`${text.slice(0, at)}[0-${Number(digit) - 1}]${rest === 0 ? "" : `\\d{${rest}}`}`];
  });
  const shorter = text.length === 1 ? [] : [`\\d{1,${text.length - 1}}`];
  return `0{0,${digits - text.length}}(?:${[...shorter, ...forms, text].join("|")})`;
}
