// Removes secrets from text before it is stored, logged or shown to a model (D-065): known values in all their encodings,
// and the shapes of well-known credentials. Redaction happens before truncation, so that a secret that reaches into the
// shown part is removed as a whole (D-064).
import { REDACTED as MARK } from "../domain/printable.ts";
import { findBeginning, findKnownValues, findShapes, occurrences, type Span } from "./find-secrets.ts";

/**
 * Returns the text, or the `shown` part of it, without secrets. The text around that part is searched but never returned.
 * Idempotent; the result is at most three times as long.
 */
export type Redact = (text: string, shown?: Span) => string;

type Excerpt = { readonly text: string; readonly shown: Span };

/** A mark may join text that a blank in a secret separated. Only text made for this purpose needs more than two rounds. */
const MAX_ROUNDS = 8;

/** `secrets` are plain values. Those under 8 characters are ignored, because they would also match ordinary words. */
export function createRedactor(secrets: readonly string[]): Redact {
  const findKnown = findKnownValues(secrets);
  return (text, shown = { start: 0, end: text.length }) => {
    let excerpt: Excerpt = { text, shown };
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const before = excerpt.text;
      const found = [...findKnown(before), ...findShapes(before)];
      if (found.length === 0) break;
      // A mark is a span too: a secret that overlaps it includes it, so that no part of a mark remains.
      excerpt = withMarks(excerpt, joined([...found, ...occurrences(before, MARK)]));
      if (excerpt.text === before) break;
    }
    return excerpt.text.slice(excerpt.shown.start, excerpt.shown.end).toWellFormed();
  };
}

type ShownOutput = { readonly text: string; readonly bytes: number; readonly truncated: boolean };

/** Output that was cut holds the text on both sides of its gap, which replaces the part from `start` to `end`. */
export type CutOutput = ShownOutput & {
  readonly beyond?: {
    readonly start: number;
    readonly end: number;
    readonly after_head: string;
    readonly before_tail: string;
  };
};

/**
 * Searches both sides of the gap together with the text next to them, which is then dropped, so that no half of a secret
 * remains at the cut (D-064). Output that was not cut is returned unchanged; it is redacted with the rest of its result.
 */
export function withoutMargin({ beyond, ...output }: CutOutput, redact: Redact): ShownOutput {
  if (beyond === undefined) return output;
  const { start, end, after_head, before_tail } = beyond;
  const head = redact(output.text.slice(0, start) + after_head, { start: 0, end: start });
  const tail = before_tail + output.text.slice(end);
  const rest = redact(tail, { start: before_tail.length, end: tail.length });
  return { ...output, text: head + output.text.slice(start, end) + rest };
}

/** The spans in order; overlapping spans become one. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last === undefined || start >= last.end) all.push({ start, end });
    else if (end > last.end) all[all.length - 1] = { start: last.start, end };
  }
  return all;
}

/** The mark of a span that reaches into the shown part belongs to the shown part. */
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

// Takes known secrets out of a text that is judged as code: no part of them is in what is quoted or computed from it (D-265).

export type WithoutKnown = (text: string) => string;

/** Signs of the syntax stay where they are, also in a secret: without them the text would be judged as another program. */
const WORDS = /[^\s\\"'`$&|;<>(){}[\]*?!#/]+/g;
const WORD = "redacted";

/** As long as the text, because a program may cut a value by its length. */
const wordFor = ({ length }: string): string => WORD.repeat(Math.ceil(length / WORD.length)).slice(0, length);

export function createWithoutKnown(secrets: readonly string[]): WithoutKnown {
  const find = findKnownValues(secrets);
  return (text) => {
    const pieces: string[] = [];
    let end = 0;
    for (const span of joined(find(text))) {
      pieces.push(text.slice(end, span.start), text.slice(span.start, span.end).replace(WORDS, wordFor));
      end = span.end;
    }
    return pieces.join("") + text.slice(end);
  };
}

// Everything that removes the same secrets from texts.

export type Redaction = {
  readonly redact: Redact;
  /** Where a known secret begins that the text may end within: those that `redact` knows. */
  readonly beginningOf: (text: string) => number;
  /** Texts of scripts on disk as they are judged: without those secrets. */
  readonly withoutKnown: WithoutKnown;
};

export const redactionOf = (known: readonly string[]): Redaction => ({
  redact: createRedactor(known),
  beginningOf: findBeginning(known),
  withoutKnown: createWithoutKnown(known),
});
