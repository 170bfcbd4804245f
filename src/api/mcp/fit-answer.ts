// Keeps an answer within what a model should read at once (D-209), and writes it as JSON text without invisible characters. Long
// texts and lists lose their middle; `cut` says which.
import type { Fault } from "../../schema/problem-document.ts";

const MAX_NOTES = 10;

/**
 * Of an answer that was not asked for in full, by the count of `tokensOf`. A model sees at most 10,000: tokenizers count up to a fifth
 * more, clients may show the answer as text and as structured content, and `next` follows in words.
 */
export const MAX_TOKENS = 4_650;

/** Two characters of ASCII a token, one of any other: tokenizers count less of text, and a seventh more of hexadecimal digits. */
export function tokensOf(value: unknown): number {
  const text = jsonText(value);
  let halves = text.length;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) halves += 1;
  return halves / 2;
}

type Output = Readonly<Record<string, unknown>>;

/** What one text, one list and one record may hold. */
type Limits = {
  readonly characters: number;
  readonly items: number;
  readonly fields: number;
  readonly fields_of_callers: number;
};

/** Identifiers, codes and digests have at most this many characters, so a shorter text is never cut. */
const SHORT_TEXT = 128;

/** A text may have this many characters for each item that a list may have. */
const CHARACTERS_PER_ITEM = 20;

/** No record of orch has more fields. One that has more holds data of a caller, such as a payload. */
const FIELDS = 60;

/** They say how to go on, so they stay whole where orch itself puts them: in the answer, and in a record of the answer. */
const GUIDES: ReadonlySet<string> = new Set(["next", "outcome", "waiting"]);
const GUIDES_DEPTH = 2;

/** Records whose fields a caller names, also inside of others. */
const OF_CALLERS: ReadonlySet<string> = new Set(["target", "payload"]);

/**
 * The same when it is short enough. `more` says how to get what is cut. The longest texts and lists are cut first, and no more than is
 * needed. Where that is not enough, data of callers loses fields. A record of orch keeps all its fields, unless nothing else is left to cut.
 */
export function fitAnswer(output: Output, more: string, max_tokens = MAX_TOKENS): Output {
  if (tokensOf(output) <= max_tokens) return output;
  const cutTo = (limits: Limits): Output | null => {
    const cuts: string[] = [];
    const shortened = shortenedRecord(output, { limits, max_tokens, path: [], cuts });
    const fitted = { ...shortened, cut: notes(cuts, more) };
    return tokensOf(fitted) <= max_tokens ? fitted : null;
  };
  const [characters, all] = [SHORT_TEXT, Number.POSITIVE_INFINITY];
  return (
    largestFitting(2 * max_tokens, (items) =>
      cutTo({
        characters: Math.max(SHORT_TEXT, CHARACTERS_PER_ITEM * items),
        items,
        fields: all,
        fields_of_callers: all,
      }),
    ) ??
    largestFitting(FIELDS, (size) => cutTo({ characters, items: 1, fields: all, fields_of_callers: size - 1 })) ??
    largestFitting(FIELDS, (fields) =>
      cutTo({ characters, items: Math.min(fields, 2), fields, fields_of_callers: fields }),
    ) ??
    briefly(output, more, max_tokens)
  );
}

/** Of the largest number from 1 to `most` that has a result; null where none has. */
function largestFitting<T>(most: number, attempt: (size: number) => T | null): T | null {
  let [fits, fails] = [0, most + 1];
  let best: T | null = null;
  while (fails - fits > 1) {
    const size = Math.floor((fits + fails) / 2);
    const result = attempt(size);
    if (result === null) fails = size;
    else [fits, best] = [size, result];
  }
  return best;
}

/** The answer of last resort: how to go on, and what is no list and no record. */
function briefly(output: Output, more: string, max_tokens: number): Output {
  const place = { path: [], max_tokens };
  const plain = Object.entries(output).filter(
    ([key, value]) => typeof value !== "object" || value === null || isGuide(key, value, place),
  );
  const kept = plain
    .slice(0, FIELDS)
    .map(([key, value]) => [key, typeof value === "string" ? shortenedText(value, SHORT_TEXT) : value]);
  return { ...Object.fromEntries(kept), cut: ["everything else is left out", more] };
}

const notes = (cuts: readonly string[], more: string): string[] => [
  ...cuts.slice(0, MAX_NOTES),
  ...(cuts.length > MAX_NOTES ? [`${cuts.length - MAX_NOTES} more texts and lists`] : []),
  more,
];

type Place = {
  readonly limits: Limits;
  readonly max_tokens: number;
  readonly path: readonly string[];
  /** Takes a line for each cut. */
  readonly cuts: string[];
};

function shortened(value: unknown, place: Place): unknown {
  const { limits, path, cuts } = place;
  if (typeof value === "string") {
    if (value.length > limits.characters)
      cuts.push(
        `${path.join(".")}: ${value.length - 2 * Math.floor(limits.characters / 2)} of ${value.length} characters`,
      );
    return shortenedText(value, limits.characters);
  }
  if (Array.isArray(value)) {
    const kept = withoutMiddle(value, limits.items, place);
    return kept.map((item, index) => shortened(item, below(place, String(index))));
  }
  return typeof value === "object" && value !== null ? shortenedRecord(value as Output, place) : value;
}

function shortenedRecord(record: Output, place: Place): Output {
  const entries = Object.entries(record);
  const kept = withoutMiddle(entries, mostFields(entries.length, place), place);
  return Object.fromEntries(
    kept.map(([key, value]) => [key, isGuide(key, value, place) ? value : shortened(value, below(place, key))]),
  );
}

/** How many fields of a record stay. The answer and the records in it lose none, unless they hold data of a caller. */
function mostFields(count: number, { limits, path }: Place): number {
  if (count > FIELDS || path.some((name) => OF_CALLERS.has(name))) return limits.fields_of_callers;
  return path.length < GUIDES_DEPTH ? FIELDS : limits.fields;
}

const isGuide = (key: string, value: unknown, { path, max_tokens }: Pick<Place, "path" | "max_tokens">): boolean =>
  GUIDES.has(key) && path.length < GUIDES_DEPTH && tokensOf(value) <= max_tokens / 4;

const below = (place: Place, key: string): Place => ({ ...place, path: [...place.path, key] });

function withoutMiddle<T>(items: readonly T[], most: number, { path, cuts }: Place): readonly T[] {
  if (items.length <= most) return items;
  const first = Math.ceil(most / 2);
  const where = path.length === 0 ? "the answer" : path.join(".");
  cuts.push(`${where}: ${items.length - most} of ${items.length} items after the first ${first}`);
  return [...items.slice(0, first), ...items.slice(items.length - (most - first))];
}

function shortenedText(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  // Half of a surrogate pair may remain at a cut.
  return `${text.slice(0, half)}[${text.length - 2 * half} characters are left out]${text.slice(-half)}`.toWellFormed();
}

/** What is wrong stays whole; the record that the call ran into is cut. */
export function fitFault({ code, detail, fix, ...rest }: Fault): Output {
  const more = 'all of it: get_task, get_sop or list_approvals with view "full"';
  return { code, detail, ...(fix !== undefined && { fix }), ...fitAnswer(rest, more) };
}

/** The first items that fit, at least one. */
export function fittingItems<T>(items: readonly T[], spare_tokens: number): readonly T[] {
  let left = spare_tokens;
  const end = items.findIndex((item) => {
    left -= tokensOf(item);
    return left < 0;
  });
  return end === -1 ? items : items.slice(0, Math.max(end, 1));
}

/** Characters that a human does not see and a model reads, and those that begin a line. JSON escapes those below the space. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u007f-\u009f]/gu;

const escaped = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

export const visible = (text: string): string => text.replace(INVISIBLE, escaped);

/**
 * Outputs as the JSON text that a model reads: without invisible characters, and no longer than clients accept. The same value
 * once it is parsed.
 */
export const jsonText = (value: unknown, indent?: number): string => visible(JSON.stringify(value, null, indent));

/** Clients on stdio read messages of 10 MiB. */
const MAX_MIB = 8;

/** Null when the result may be sent. */
export function tooLong(result: object): Fault | null {
  const mib = Buffer.byteLength(JSON.stringify(result)) / 1024 / 1024;
  if (mib <= MAX_MIB) return null;
  const detail = `This answer has ${Math.ceil(mib)} MiB; at most ${MAX_MIB} MiB are sent over MCP.`;
  const fix = "Give a smaller limit where there is one; read_journal gives everything of a task in parts.";
  return { code: "answer_too_long", detail, fix };
}
