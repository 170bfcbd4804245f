// Through which releases a database goes (D-380). A line is a major, and before 1.0 a minor, as semver counts what may break. Between two
// lines nothing is skipped: what one has replaced, the next may take away.

/** Every line that was released, oldest first; the last one is that of this version. */
export const RELEASE_LINES: readonly string[] = ["0.1"];

export type Release = { readonly version: string; readonly lines: readonly string[] };

/** Of a database that says nothing of it: releases are on record since a later one of that line. */
const FIRST = "0.1.0";

const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?![\d.])/;

/** The line that has to come first, where this release would skip one; else null. `found` is the last release of the database. */
export function skippedLine(found: string | null, { version, lines }: Release): string | null {
  const [from, to] = [lineOf(known(found)), lineOf(version)];
  return lines.find((line) => compare(line, from) > 0 && compare(line, to) < 0) ?? null;
}

export const isEarlier = (found: string | null, version: string): boolean =>
  found === null || compare(known(found), version) < 0;

export function lineOf(version: string): string {
  const [major = 0, minor = 0] = numbersOf(version);
  return major === 0 ? `0.${minor}` : String(major);
}

/** A value that is no version, such as a damaged one, is none. */
const known = (found: string | null): string => (found !== null && VERSION.test(found) ? found : FIRST);

/** Those before what marks a pre-release. */
const numbersOf = (version: string): number[] => (version.split(/[-+]/)[0] ?? "").split(".").map(Number);

function compare(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  for (const at of [0, 1, 2]) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
