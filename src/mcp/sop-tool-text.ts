// The texts of others in the description of a tool: bounded by what they cost a model, and cut where a part ends.
import { jsonText } from "./json-text.ts";

/** Names of letters, digits and underscores. */
export const listed = (names: readonly string[], most: number): string => {
  const [first = "", ...more] = names;
  const all = names.join(", ");
  return tokensAtMost(all) <= most ? all : `${bounded(first, most)}${more.length > 0 ? " and more" : ""}`;
};

/** With less than this an attribute says nothing: the last ones are left out first. */
const MIN_VALUE = 12;
const REST = { more: "[cut]" };

/**
 * Always whole JSON: a text that is cut ends within its quotes, and none of it begins a line or is invisible. The first entries are
 * shown whole as far as there is room.
 */
export function quoted(entries: readonly Entry[], most: number): string {
  for (let shown = entries.length; shown > 1; shown -= 1) {
    const [kept, rest] = [entries.slice(0, shown), shown < entries.length ? REST : {}];
    const level = levelOf(kept.map(costOf), most - overheadOf(shown + Object.keys(rest).length));
    if (level >= MIN_VALUE) return jsonText({ ...cutTo(level, kept), ...rest });
  }
  return jsonText({ ...cutTo(most - overheadOf(2), entries.slice(0, 1)), ...(entries.length > 1 && REST) });
}

type Entry = readonly [name: string, value: string];

/** Braces, and what is between two texts. */
const overheadOf = (entries: number): number => 3 + 2 * entries;

const costOf = ([name, value]: Entry): number => written(name) + written(value);

/** What each may cost when the short ones leave their rest to the long ones. Infinity: all are whole. */
function levelOf(costs: readonly number[], most: number): number {
  const ascending = costs.toSorted((a, b) => a - b);
  let left = most;
  for (const [nth, cost] of ascending.entries()) {
    const share = left / (costs.length - nth);
    if (cost > share) return share;
    left -= cost;
  }
  return Number.POSITIVE_INFINITY;
}

const cutTo = (level: number, entries: readonly Entry[]): Record<string, string> =>
  Object.fromEntries(
    entries.map((entry) => {
      if (costOf(entry) <= level) return entry;
      const name = bounded(entry[0], level / 2);
      return [name, bounded(entry[1], level - written(name))];
    }),
  );

const CUT = "[cut]";
const COST_OF_CUT = 3;

/** Of a path the end is kept: it distinguishes more than the beginning. */
function bounded(text: string, most: number): string {
  if (written(text) <= most) return text;
  const isPath = text.startsWith("/");
  const parts = text.match(PARTS) ?? [];
  const kept: string[] = [];
  let left = most - COST_OF_CUT;
  for (const part of isPath ? parts.toReversed() : parts) {
    left -= written(part);
    if (left < 0) break;
    kept.push(part);
  }
  return isPath ? `${CUT}${kept.toReversed().join("")}` : `${kept.join("")}${CUT}`;
}

/** As a part of a JSON text. */
const written = (text: string): number => tokensAtMost(jsonText(text).slice(1, -1));

/** Of ordinary targets. Each is one part for tokenizers, with what separates it. */
const WORDS = "compose|dir|environment|home|host|name|production|region|server|service|srv|stack|zone";

/** Tokenizers join letters and digits to longer parts, but rare letters, and most others too. */
const PARTS = new RegExp(
  `(?<![A-Za-z])(?:${WORDS})(?![A-Za-z])|[a-ik-pr-wyA-IK-PR-WY]{1,2}|[a-zA-Z]|[0-9]{1,3}|[\\s\\S]`,
  "gu",
);
export const tokensAtMost = (text: string): number =>
  (text.match(PARTS) ?? []).reduce((sum, part) => sum + tokensOfPart(part), 0);

/** The most of a part, which is one character where it is not ASCII. */
const tokensOfPart = (part: string): number => (part === " " ? 0 : part <= "\u007f" ? 1 : part.length > 1 ? 4 : 3);
