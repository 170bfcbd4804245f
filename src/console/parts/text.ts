// Times, durations and counts as people read them.

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const absolute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** As "3 min. ago" or "in 2 hr."; below a minute "now", because a number that ticks asks for attention. */
export function relativeTime(at: string, now_ms: number): string {
  const seconds = (Date.parse(at) - now_ms) / 1000;
  const largest = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  if (largest === undefined) return seconds > 5 ? "in less than a minute" : "just now";
  const [unit, length] = largest;
  return relative.format(Math.trunc(seconds / length), unit);
}

export const absoluteTime = (at: string): string => absolute.format(new Date(at));

/** As "340 ms", "12.4 s" or "3 min 20 s". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** As "1 step" or "3 steps". */
export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

export const byteCount = (n: number): string =>
  n < 1_024 ? `${n} B` : n < 1_048_576 ? `${(n / 1_024).toFixed(1)} KiB` : `${(n / 1_048_576).toFixed(1)} MiB`;

/** The first words of a digest, enough to compare by eye. */
export const shortDigest = (digest: string): string => digest.replace(/^sha256:/, "").slice(0, 12);
