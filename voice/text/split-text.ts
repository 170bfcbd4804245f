// Splits a text into parts that the provider speaks; longer ones end in silence. A part ends where a sentence does, else at a
// comma, else between words, and between characters only where nothing else is left (D-158).
import { boundaries } from "./boundaries.ts";

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

// A line break is a pause to a reader. The provider speaks it as a blank, so a line without a mark at its end gets one.

/** After these a voice pauses by itself, also where a bracket closes after them. */
const PAUSES = /[。．.！!？?…‥、，,；;：:]["'”’」』】〕］〉》）)\]}]*$/u;
const OPENED = /[（(「『【〔［[{｛〈《“‘]$/u;
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/** The text on one line. */
function withPauses(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.map((line, index) => (index === lines.length - 1 ? line : `${marked(line)}${after(line)}`)).join("");
}

const marked = (line: string): string => {
  if (PAUSES.test(line) || OPENED.test(line)) return line;
  return `${line}${JAPANESE.test(line) ? "。" : "."}`;
};

/** Western marks need a blank after them to be read as marks. */
const after = (line: string): string => (/[!-~]$/.test(line) || !JAPANESE.test(line) ? " " : "");
