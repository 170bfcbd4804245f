// Keeps an answer within what a model should read at once (D-209). Long texts and lists lose their middle; `cut` says which.
import type { Fault } from "../schema/problem-document.ts";
import { jsonText } from "./json-text.ts";

/** Of an answer that was not asked for in full. Clients may show it twice, as text and as structured content. */
export const MAX_TOKENS = 5_000;

/** Two characters of ASCII a token, one of any other: tokenizers count less of text, and a seventh more of hexadecimal digits. */
export function tokensOf(value: unknown): number {
  const text = jsonText(value);
  let halves = text.length;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) halves += 1;
  return halves / 2;
}

type Output = Readonly<Record<string, unknown>>;
type Level = { readonly characters: number; readonly items: number };

const LEVELS: readonly Level[] = [
  { characters: 4_000, items: 200 },
  { characters: 2_000, items: 60 },
  { characters: 800, items: 40 },
  { characters: 300, items: 20 },
  { characters: 100, items: 10 },
  { characters: 40, items: 4 },
];

const MAX_NOTES = 10;

/** Of an answer itself. They are its schema's, and a client refuses an answer without them. */
const FIELDS = 60;

/** The same when it is short enough. `more` says how to get what is cut. */
export function fitAnswer(output: Output, more: string, max_tokens = MAX_TOKENS): Output {
  if (tokensOf(output) <= max_tokens) return output;
  for (const level of LEVELS) {
    const cuts: string[] = [];
    const fitted = { ...shrunk(output, level, "", cuts), cut: notes(cuts, more) };
    if (tokensOf(fitted) <= max_tokens) return fitted;
  }
  const brief = Object.entries(output).filter(([, value]) => typeof value !== "object" || value === null);
  const level = { characters: 40, items: brief.length };
  return { ...shrunk(Object.fromEntries(brief), level, "", []), cut: ["everything else is left out", more] };
}

const notes = (cuts: readonly string[], more: string): string[] => [
  ...cuts.slice(0, MAX_NOTES),
  ...(cuts.length > MAX_NOTES ? [`${cuts.length - MAX_NOTES} more texts and lists`] : []),
  more,
];

function shrunk(value: Output, level: Level, path: string, cuts: string[]): Output {
  const entries = Object.entries(value);
  const most = path === "" ? Math.max(level.items, FIELDS) : level.items;
  const kept = withoutMiddle(entries, most, path, cuts);
  return Object.fromEntries(kept.map(([key, held]) => [key, shrunkValue(held, level, at(path, key), cuts)]));
}

function shrunkValue(value: unknown, level: Level, path: string, cuts: string[]): unknown {
  if (typeof value === "string") return shrunkText(value, level.characters, path, cuts);
  if (Array.isArray(value)) {
    const kept = withoutMiddle(value, level.items, path, cuts);
    return kept.map((item, index) => shrunkValue(item, level, at(path, String(index)), cuts));
  }
  return typeof value === "object" && value !== null ? shrunk(value as Output, level, path, cuts) : value;
}

const at = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);

function withoutMiddle<T>(items: readonly T[], most: number, path: string, cuts: string[]): readonly T[] {
  if (items.length <= most) return items;
  cuts.push(
    `${path === "" ? "the answer" : path}: ${items.length - most} of ${items.length} items after the first ${Math.ceil(most / 2)}`,
  );
  return [...items.slice(0, Math.ceil(most / 2)), ...items.slice(items.length - Math.floor(most / 2))];
}

function shrunkText(text: string, most: number, path: string, cuts: string[]): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const left_out = text.length - 2 * half;
  cuts.push(`${path}: ${left_out} of ${text.length} characters`);
  // Half of a surrogate pair may remain at a cut.
  return `${text.slice(0, half)}[${left_out} characters are left out]${text.slice(-half)}`.toWellFormed();
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
