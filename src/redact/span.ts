// A part of a text to remove, and the mark that replaces it.

/** From `start` up to, not including, `end`, in UTF-16 code units. */
export type Span = { readonly start: number; readonly end: number };

export const MARK = "[redacted]";

/** All occurrences of `part` in the text, without overlaps. */
export function occurrences(text: string, part: string): Span[] {
  const found: Span[] = [];
  for (let start = text.indexOf(part); start !== -1; start = text.indexOf(part, start + part.length)) {
    found.push({ start, end: start + part.length });
  }
  return found;
}
