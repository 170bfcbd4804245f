// Splits a text into parts that the provider speaks; longer ones end in silence. A part ends where a sentence does, else at a
// comma, else between words, and between characters only where nothing else is left (D-158).
import { boundaries } from "./boundaries.ts";
import { withPauses } from "./pauses.ts";

/** In UTF-16 units after escaping. */
const LIMIT = 250;

/** `textToSpeak` is read as SSML. */
export const escapeSsml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The parts in order, unescaped; none is empty or blank. */
export function splitText(given: string, limit = LIMIT): string[] {
  const text = withPauses(given);
  const strengths = boundaries(text);
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfPart(text, strengths, start, limit);
    parts.push(text.slice(start, end).trim());
    start = end;
  }
  return parts.filter((part) => part !== "");
}

/** The last of the strongest boundaries up to which the text fits. */
function endOfPart(text: string, strengths: Int8Array, start: number, limit: number): number {
  let best = start;
  let length = 0;
  let at = start;
  for (; at < text.length; at += 1) {
    if (at > start && (best === start || strengthAt(strengths, at) >= strengthAt(strengths, best))) best = at;
    length += ESCAPED.get(text.charCodeAt(at)) ?? 1;
    if (length > limit && !isBlank(text.slice(at))) return best;
  }
  return at;
}

const strengthAt = (strengths: Int8Array, at: number): number => strengths[at] ?? 0;
const isBlank = (text: string): boolean => text.trim() === "";

/** The escaped length of a unit that is escaped. */
const ESCAPED: ReadonlyMap<number, number> = new Map(
  ["&", "<", ">"].map((sign) => [sign.charCodeAt(0), escapeSsml(sign).length]),
);
