// Splits a text, as it is spoken, into parts that the provider speaks; longer ones end in silence. A part ends where a sentence
// does, else at a comma, else between words, and between characters only where nothing else is left (D-158).
import { z } from "zod";
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

/** After these a voice pauses by itself, also where a bracket closes after them. */
const PAUSES = /[。．.！!？?…‥、，,；;：:]["'”’」』】〕］〉》）)\]}]*$/u;
const OPENED = /[（(「『【〔［[{｛〈《“‘]$/u;
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/**
 * A line break is a pause to a reader. The provider speaks it as a blank, so a line without a mark at its end gets one. The text
 * on one line.
 */
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

const BLANKS = /[ \t\v\f]+/g;
const LINE_BREAKS = / ?[\n\r\u0085\u2028\u2029][\s\u0085]*/g;
/** Neither XML nor a voice can represent these. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the function removes
const UNSPEAKABLE = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;
/** Anything but blanks, joiners and marks. */
const AUDIBLE = /[^\p{Z}\p{Cf}\p{M}\s]/u;

const spoken = (text: string): string =>
  text.replace(UNSPEAKABLE, "").replace(BLANKS, " ").replace(LINE_BREAKS, "\n").trim();

/**
 * The text of a speak request as it is spoken (D-158). Only what no voice can speak is changed: white space becomes one blank or
 * one line break, control characters are removed. A JSON string of at most `max` UTF-16 units with something to speak.
 */
export const spokenText = (max: number) =>
  z
    .string({ error: "must be a string" })
    .refine((text) => text.isWellFormed(), {
      error: "contains half of a character (a lone surrogate); send whole ones",
    })
    .transform(spoken)
    .refine((text) => AUDIBLE.test(text), { error: "must contain something to speak" })
    .refine((text) => text.length <= max, { error: `must have at most ${max} characters; send it in parts` });
