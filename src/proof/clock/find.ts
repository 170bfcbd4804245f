// How the list that `find` prints drifts: with time, files leave `-mmin -5` and come into `-mmin +5`.
import type { Word } from "unbash";
import { plainWord } from "../syntax.ts";
import { dateReading } from "./dates.ts";
import { joinedAll } from "./drift.ts";
import type { ClockScope } from "./scope.ts";
import { readingOf } from "./values.ts";

const AGE = /^-([amc]min|[amc]time|used)$/;
const NEWER_THAN_DATE = /^-newer[aBcm]t$/;
const NEWER_THAN_FILE = /^-([ac]?newer|newer[aBcm][aBcm])$/;

export function findDrift(words: readonly Word[], scope: ClockScope): number {
  const texts = words.map((word) => plainWord(word) ?? word.text.replaceAll('"', ""));
  const isTurned = (text: string | undefined) => text === "!" || text === "-not";
  const turnsGroup = texts.some((text, at) => isTurned(text) && texts[at + 1] === "(");
  const drifts = texts.map((text, at) => {
    const value = words[at + 1];
    const drift = value === undefined ? 0 : primaryDrift(text, value, scope);
    return isTurned(texts[at - 1]) ? -drift : drift;
  });
  const all = joinedAll(drifts);
  const first = drifts.findIndex((drift) => drift !== 0);
  const isBranched = texts.slice(first).some((text) => /^(-o|-or|,|-prune)$/.test(text));
  return all !== 0 && (turnsGroup || isBranched) ? Number.NaN : all;
}

function primaryDrift(name: string, value: Word, scope: ClockScope): number {
  if (NEWER_THAN_DATE.test(name)) return -dateReading(value, scope).drift;
  if (NEWER_THAN_FILE.test(name)) return scope.touched.has(value.text) ? -1 : 0;
  if (!AGE.test(name)) return 0;
  if (readingOf(value, scope).drift !== 0) return Number.NaN;
  const text = value.text.replace(/^["']/, "");
  if (text.startsWith("+")) return 1;
  // Nothing is younger than 0.
  return text.startsWith("-") || text === "0" ? -1 : Number.NaN;
}
