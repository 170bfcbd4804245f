// Markdown in which everything is text that an application would drop: tags that do not format or are never closed, other markup of
// HTML, and definitions of links that nothing uses. So no word is lost, whether orch converts the Markdown or the application (D-261).
import { Marked, type Token, Tokenizer, type Tokens } from "marked";
import { keptTags } from "./tags.ts";

/** Each definition is a token, also one of a label that has one already. What begins with `[^1]:` is a footnote, or a line of text. */
const marked = new Marked({
  tokenizer: {
    def(source) {
      const found = Tokenizer.prototype.def.call(this, source);
      if (found?.tag.startsWith("^") === true) return undefined;
      if (found !== undefined && found.tag in this.lexer.tokens.links) found.tag += "\n";
      return found;
    },
  },
});

export type Lexed = { readonly markdown: string; readonly tokens: Token[] };

/** What was HTML may be Markdown without its tags, with tags of its own. */
const ROUNDS = 4;

/** Throws a RangeError for what is nested deeper than the parser can follow. */
export function lexed(markdown: string): Lexed {
  let kept = markdown;
  for (let round = 1; ; round += 1) {
    const tokens = marked.lexer(kept);
    const next = escaped(kept, tokens);
    if (next === kept || round === ROUNDS) return { markdown: kept, tokens };
    kept = next;
  }
}

export function keptMarkdown(markdown: string): string {
  try {
    return lexed(markdown).markdown;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return markdown;
  }
}

/** As it is where the tokens do not account for every character that may have to be escaped. */
function escaped(markdown: string, tokens: Token[]): string {
  const dropped = new Map<Token, ReadonlySet<number>>();
  for (const list of listsOf(tokens)) markTags(list, dropped);
  const angles = markedIn(tokens, "<", (token) => (token.type === "html" ? dropped.get(token) : undefined));
  const used = usedLabels(tokens);
  const brackets = markedIn(tokens, "[", (token) => (isUnused(token, used) ? FIRST : undefined));
  if (angles === null || brackets === null) return markdown;
  if (angles.length !== count(markdown, "<") || brackets.length !== count(markdown, "[")) return markdown;
  let [angle, bracket] = [0, 0];
  return markdown.replace(/[<[]/g, (character, at: number) => {
    if (character === "[") return brackets[bracket++] === true ? "\\[" : character;
    if (angles[angle++] !== true) return character;
    // A bare address ends at an angle bracket, and would go on without it.
    return BARE_ADDRESS.test(wordBefore(markdown, at)) ? " &lt;" : "&lt;";
  });
}

const BARE_ADDRESS = /(?:https?|ftp):\/\/|www\.|@/i;

function wordBefore(markdown: string, end: number): string {
  let start = end;
  while (start > 0 && !/[\s<]/.test(markdown.charAt(start - 1))) start -= 1;
  return markdown.slice(start, end);
}

const FIRST: ReadonlySet<number> = new Set([0]);

const count = (text: string, character: string): number => text.split(character).length - 1;

/** The lists of tokens in which a tag may be closed: the text itself, and what has text of its own. */
function listsOf(tokens: Token[]): Token[][] {
  const lists = [tokens];
  for (const list of lists) for (const token of list) lists.push(...listsIn(token));
  return lists;
}

function listsIn(token: Token): Token[][] {
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [...header, ...rows.flat()].map((cell) => cell.tokens);
  }
  if (token.type === "list") return [(token as Tokens.List).items];
  return "tokens" in token && token.tokens !== undefined ? [token.tokens] : [];
}

function markTags(list: readonly Token[], dropped: Map<Token, ReadonlySet<number>>): void {
  const html = list.filter((token): token is Tokens.HTML => token.type === "html");
  const kept = keptTags(html.map(({ raw, block }) => ({ raw, isBlock: block })));
  for (const [at, token] of html.entries()) {
    const angles = [...token.raw.matchAll(/</g)].map(({ index }) => index);
    dropped.set(token, new Set(angles.flatMap((index, n) => (kept[at]?.has(index) === true ? [] : [n]))));
  }
}

/** Beside their texts these have an address, a title, or a box to tick. */
const HAS_MORE: ReadonlySet<string> = new Set(["link", "image", "list_item"]);

/**
 * For each such character of the text, whether it is one of the chosen ones; null where a token does not account for all of its own.
 * A token names the chosen ones by their number in it.
 */
function markedIn(
  tokens: readonly Token[],
  character: string,
  chosen: (token: Token) => ReadonlySet<number> | undefined,
): boolean[] | null {
  const marks: boolean[] = [];
  for (const token of tokens) {
    const own = count(token.raw, character);
    const lists = own === 0 ? [] : listsIn(token);
    if (lists.length === 0) {
      const some = chosen(token);
      for (let n = 0; n < own; n += 1) marks.push(some?.has(n) === true);
      continue;
    }
    const below = markedIn(lists.flat(), character, chosen);
    if (below === null || below.length > own) return null;
    const others = Array<boolean>(own - below.length).fill(false);
    if (others.length > 0 && !HAS_MORE.has(token.type)) return null;
    marks.push(...(token.type === "list_item" ? [...others, ...below] : [...below, ...others]));
  }
  return marks;
}

/** Lines such as `[INFO]: started` look like a definition: here only an address defines one. */
const DEFINES_ADDRESS = /^ {0,3}\[[^\]\n]+\]:\s*<?(?:[a-z][a-z0-9+.-]*:|[/.#])/i;

const isUnused = (token: Token, used: ReadonlySet<string>): boolean =>
  token.type === "def" && !(DEFINES_ADDRESS.test(token.raw) && used.has((token as Tokens.Def).tag));

const LABEL = /\[((?:[^[\]\\]|\\.)*)\]$/;

/** As in `[text][label]`, `[label][]` and `[label]`. */
function usedLabels(tokens: Token[]): ReadonlySet<string> {
  const used = new Set<string>();
  for (const token of listsOf(tokens).flat()) {
    if (token.type !== "link" && token.type !== "image") continue;
    const label = LABEL.exec(token.raw)?.[1];
    if (label !== undefined) used.add((label || String(token.text)).replace(/\s+/g, " ").toLowerCase());
  }
  return used;
}
