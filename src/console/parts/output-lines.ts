// What a command wrote, as the lines that a page shows: the beginning and the end, each line within a bound.

export type OutputLine = { readonly number: number; readonly text: string; readonly left_out: number };
export type ShownLines = {
  readonly head: readonly OutputLine[];
  readonly left_out: number;
  readonly tail: readonly OutputLine[];
  readonly total: number;
};

const MOST_LINES = 400;
const MOST_OF_LINE = 2_000;

/** A final line end begins no line. */
export function shownLines(text: string, most = MOST_LINES): ShownLines {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const lineAt = (line: string, at: number): OutputLine => ({
    number: at + 1,
    text: line.length > MOST_OF_LINE ? line.slice(0, MOST_OF_LINE) : line,
    left_out: Math.max(0, line.length - MOST_OF_LINE),
  });
  if (lines.length <= most) return { head: lines.map(lineAt), left_out: 0, tail: [], total: lines.length };
  const half = Math.floor(most / 2);
  const from = lines.length - half;
  return {
    head: lines.slice(0, half).map(lineAt),
    left_out: lines.length - 2 * half,
    tail: lines.slice(from).map((line, at) => lineAt(line, from + at)),
    total: lines.length,
  };
}
