// Whether a program printed what a page shows. Blanks count as one, times and digests as any; `…` is anything, and alone in a
// line any number of lines. An id of the page means the one that was printed, from then on.

/** The ids of the page, with those of this run. */
export type Ids = ReadonlyMap<string, string>;

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const SHORT_ID = "(?<![\\w-])(?:freeze-)?(?=[0-9a-f]{0,7}[a-f])(?=[0-9a-f]{0,7}\\d)[0-9a-f]{8}(?![\\w-])";
const DIGEST = "\\b[0-9a-f]{64}\\b";
const MOMENT = "\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?Z?)?|\\b\\d{2}:\\d{2}:\\d{2}\\b";
const DURATION = "\\b\\d+(?:\\.\\d+)? ?(?:ms|s|m|min|h|d)\\b";

const TOKEN = new RegExp(
  `(?<uuid>${UUID})|(?<digest>${DIGEST})|(?<short>${SHORT_ID})|(?<moment>${MOMENT})|(?<duration>${DURATION})|(?<any>…)`,
  "g",
);
const ANY_OF: Readonly<Record<string, string>> = {
  digest: DIGEST,
  moment: `(?:${MOMENT})`,
  duration: DURATION,
  any: ".*?",
};

const rowsOf = (text: string): string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((row) => row.trim().replaceAll(/\s+/g, " "));

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** One line of a page as a pattern, with the ids that it captures in order. */
function patternOf(row: string, ids: Ids): { pattern: RegExp; captured: string[] } {
  const captured: string[] = [];
  let source = "";
  let end = 0;
  for (const match of row.matchAll(TOKEN)) {
    source += escaped(row.slice(end, match.index));
    end = match.index + match[0].length;
    const [kind = ""] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    const known = ids.get(match[0]);
    if (known !== undefined) source += escaped(known);
    else if (kind === "uuid" || kind === "short") {
      captured.push(match[0]);
      source += `(${kind === "uuid" ? UUID : SHORT_ID})`;
    } else source += ANY_OF[kind] ?? "";
  }
  return { pattern: new RegExp(`^${source}${escaped(row.slice(end))}$`), captured };
}

/** The ids after it, or null where `actual` is not what `expected` shows. */
export function compare(expected: string, actual: string, ids: Ids): Ids | null {
  const shown = rowsOf(expected);
  const printed = rowsOf(actual);
  const from = (at: number, row: number, known: Ids): Ids | null => {
    const next = shown[at];
    if (next === undefined) return row === printed.length ? known : null;
    if (next === "…") {
      for (let skipped = row; skipped <= printed.length; skipped++) {
        const rest = from(at + 1, skipped, known);
        if (rest !== null) return rest;
      }
      return null;
    }
    const { pattern, captured } = patternOf(next, known);
    const found = pattern.exec(printed[row] ?? "\n");
    if (found === null) return null;
    return from(at + 1, row + 1, new Map([...known, ...captured.map((id, n) => [id, found[n + 1] ?? ""] as const)]));
  };
  return from(0, 0, ids);
}

/** A command of the page with the ids of this run; the first eight digits of an id count as the id. */
export function withIds(script: string, ids: Ids): string {
  let replaced = script;
  for (const [shown, real] of ids) {
    replaced = replaced.replaceAll(shown, real);
    if (shown.length === 36) replaced = replaced.replaceAll(shown.slice(0, 8), real.slice(0, 8));
  }
  return replaced;
}
