// Takes secrets out of text before it is stored, logged or shown to a model (spec section 2: the credential is never
// printed): known values in the forms they travel in, and the shapes of well-known credentials. Finding comes before
// cutting: a secret that reaches into the part that is shown is taken out whole, wherever the text is cut.
import { findKnownValues } from "./known-values.ts";
import { findShapes } from "./shapes.ts";
import { MARK, occurrences, type Span } from "./span.ts";

/**
 * Gives back the text, or the part of it that is `shown`, without secrets; what lies around that part is looked at but
 * never given. Twice is as good as once, and the result is at most three times as long.
 */
export type Redact = (text: string, shown?: Span) => string;

type Excerpt = { readonly text: string; readonly shown: Span };

/** A mark may join what a blank inside a secret held apart; only text made for it takes more than two turns. */
const MAX_TURNS = 8;

/** `secrets` are plain values; those under 8 characters are left out, for they would also hide ordinary words. */
export function createRedactor(secrets: readonly string[]): Redact {
  const findKnown = findKnownValues(secrets);
  return (text, shown = { start: 0, end: text.length }) => {
    let excerpt: Excerpt = { text, shown };
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const before = excerpt.text;
      const found = [...findKnown(before), ...findShapes(before)];
      if (found.length === 0) break;
      // A mark is a span too: what overlaps it takes it along, and no half of one is left.
      excerpt = withMarks(excerpt, joined([...found, ...occurrences(before, MARK)]));
      if (excerpt.text === before) break;
    }
    return excerpt.text.slice(excerpt.shown.start, excerpt.shown.end).toWellFormed();
  };
}

/** In order, and those that overlap as one. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last === undefined || start >= last.end) all.push({ start, end });
    else if (end > last.end) all[all.length - 1] = { start: last.start, end };
  }
  return all;
}

/** The mark of a span that reaches into the part that is shown belongs to it. */
function withMarks({ text, shown }: Excerpt, spans: readonly Span[]): Excerpt {
  const around = (place: number) => spans.find(({ start, end }) => start < place && place < end);
  const start = around(shown.start)?.start ?? shown.start;
  const end = around(shown.end)?.end ?? shown.end;
  const before = marked(text, spans, { start: 0, end: start });
  const inside = marked(text, spans, { start, end });
  const after = marked(text, spans, { start: end, end: text.length });
  return { text: before + inside + after, shown: { start: before.length, end: before.length + inside.length } };
}

function marked(text: string, spans: readonly Span[], part: Span): string {
  const pieces: string[] = [];
  let { start } = part;
  for (const span of spans) {
    if (span.start < part.start || span.end > part.end) continue;
    pieces.push(text.slice(start, span.start), MARK);
    start = span.end;
  }
  return pieces.join("") + text.slice(start, part.end);
}
