// Whether a date that a program is given moves with the clock: "5 seconds ago" does, "2026-11-01" does not.
import type { Word, WordPart } from "unbash";
import { plainWord } from "../syntax.ts";
import { moment, type Reading, STEADY } from "./drift.ts";
import type { ClockScope } from "./scope.ts";
import { readingOf } from "./values.ts";

const FIXED = /\d{4}[-/]\d|@|^\d{9,}|\b\d{1,2} [A-Z][a-z]{2,8} \d{4}\b|\b[A-Z][a-z]{2} +\d{1,2}\b.*\d{4}|^\d{8}$/;
const HAS_VALUE = /[$`]/;
const RELATIVE =
  /\b(now|today|yesterday|tomorrow|last|next)\b|[-+]|\b(s|sec|m|min|h|d|w)\b|\b(second|minute|hour|day|week|month|year)s?\b/i;

/** `text` is the word, or what comes after `=` in it. */
export function dateReading(word: Word, scope: ClockScope, text: string = plainWord(word) ?? word.text): Reading {
  const value = readingOf(word, scope);
  if (value.drift !== 0) return value;
  if (/\bago\b/.test(text)) return moment(word.pos);
  if (!HAS_VALUE.test(text)) return FIXED.test(text) ? STEADY : moment(word.pos);
  if (!isKnown(word, scope)) return moment(word.pos);
  // "$date - 5 days" is fixed, "now - $days days" is not.
  return RELATIVE.test(literalOf(word.parts).replace(/^--?[a-z-]+=?/i, "")) ? { ...STEADY, drift: Number.NaN } : STEADY;
}

/** What is written out in it. */
const literalOf = (parts: readonly WordPart[] = []): string =>
  parts
    .map((part) => ("value" in part ? part.value : part.type === "DoubleQuoted" ? literalOf(part.parts) : ""))
    .join("");

/** A variable that the text does not set may hold "5s". */
function isKnown(word: Word, { variables }: ClockScope): boolean {
  const names = [...word.text.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name = ""]) => name);
  return word.text.includes("$(") || word.text.includes("`") || names.every((name) => variables.has(name));
}

/** The value of an option: `--since X`, `--since=X`, `-SX`. Null where it is not given. */
export function dateOption(words: readonly Word[], names: RegExp, scope: ClockScope): Reading | null {
  for (const [at, word] of words.entries()) {
    const text = plainWord(word) ?? word.text.replaceAll(/["']/g, "");
    const [option = "", value] = text.split(/=(.*)/s);
    if (!names.test(option)) continue;
    if (value !== undefined) return dateReading(word, scope, value);
    const next = words[at + 1];
    if (next !== undefined) return dateReading(next, scope);
  }
  return null;
}
