// Parses the command line of `find` into a tree: its roots, its global options, and its expression with the precedence of the
// manual.
import { words } from "../../../words/options.ts";
import { isOpen } from "../../../words/symbols.ts";

/** A test is named by its word, an action also by the command that it runs. `value` is what follows the word. */
export type Leaf = { readonly kind: "test" | "action"; readonly word: string; readonly value: readonly string[] };

export type Expression =
  | Leaf
  | { readonly kind: "not"; readonly part: Expression }
  | { readonly kind: "and" | "or" | "comma"; readonly left: Expression; readonly right: Expression };

export type FindCall = {
  readonly roots: readonly string[];
  /** Null: there is none, so all is printed. */
  readonly expression: Expression | null;
  readonly actions: readonly Leaf[];
  /** The words that name tests. */
  readonly tests: readonly string[];
  readonly depth: { readonly least: number; readonly most: number };
};

const COMMANDS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

const ACTIONS = new Set(
  words("-delete -print -print0 -ls -quit -prune -printf -fprint -fprint0 -fls -fprintf").concat(...COMMANDS),
);

const BARE = new Set(
  words(`-delete -print -print0 -ls -quit -prune -empty -true -false -nouser -nogroup -readable -writable -executable -depth -d
  -xdev -mount -x -noleaf -daystart -follow -warn -nowarn -ignore_readdir_race -noignore_readdir_race -X -s`),
);

type Reader = {
  at: number;
  readonly words: readonly string[];
  readonly actions: Leaf[];
  readonly tests: string[];
  least: number;
  most: number;
};

/** As find itself decides: `-x`, `(`, `!`, but not `-`, `(x` or `!x`. */
const beginsExpression = (word: string): boolean => /^-./.test(word) || /^[()!,]$/.test(word);

const startOf = (args: readonly string[]): number => {
  let at = 0;
  for (; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (word === "--") return at + 1;
    if (word === "-D") at += 1;
    else if (!/^-(?:[HLPEXdsx]+|O\d|D.+)$/.test(word) || word === "-d") break;
  }
  return at;
};

export function parseFind(args: readonly string[]): FindCall {
  const start = startOf(args);
  const begin = args.findIndex((word, at) => at >= start && beginsExpression(word));
  const roots = begin < 0 ? args.slice(start) : args.slice(start, begin);
  const words = begin < 0 ? [] : args.slice(begin);
  const reader: Reader = { at: 0, words, actions: [], tests: [], least: 0, most: Number.POSITIVE_INFINITY };
  let expression: Expression | null = null;
  // What does not parse ends find with an error; the rest is read all the same, as one more part of a list.
  while (reader.at < words.length) {
    const next = list(reader);
    reader.at += reader.words[reader.at] === ")" ? 1 : 0;
    expression = expression === null ? next : { kind: "comma", left: expression, right: next };
  }
  return {
    roots: roots.length === 0 ? ["."] : roots,
    expression,
    actions: reader.actions,
    tests: reader.tests,
    depth: { least: reader.least, most: reader.most },
  };
}

const isWord = (reader: Reader, pattern: RegExp): boolean => pattern.test(reader.words[reader.at] ?? "");

function binary(kind: "or" | "comma", sign: RegExp, part: (reader: Reader) => Expression) {
  return (reader: Reader): Expression => {
    let left = part(reader);
    while (isWord(reader, sign)) {
      reader.at += 1;
      left = { kind, left, right: part(reader) };
    }
    return left;
  };
}

function conjunction(reader: Reader): Expression {
  let left = primary(reader);
  while (reader.at < reader.words.length && !isWord(reader, /^(?:-o|-or|,|\))$/)) {
    if (isWord(reader, /^-a(?:nd)?$/)) reader.at += 1;
    left = { kind: "and", left, right: primary(reader) };
  }
  return left;
}

const alternatives = binary("or", /^-or?$/, conjunction);

const list = binary("comma", /^,$/, alternatives);

function primary(reader: Reader): Expression {
  const word = reader.words[reader.at] ?? "-true";
  reader.at += 1;
  if (word === "!" || word === "-not") return { kind: "not", part: primary(reader) };
  if (word === "(") {
    const inner = list(reader);
    if (isWord(reader, /^\)$/)) reader.at += 1;
    return inner;
  }
  const leaf: Leaf = { kind: ACTIONS.has(word) ? "action" : "test", word, value: valuesAt(word, reader) };
  if (leaf.kind === "action") reader.actions.push(leaf);
  else reader.tests.push(word);
  const [depth = ""] = leaf.value;
  if (word === "-maxdepth") reader.most = /^\d+$/.test(depth) ? Number(depth) : Number.POSITIVE_INFINITY;
  if (word === "-mindepth") reader.least = /^\d+$/.test(depth) ? Number(depth) : 0;
  return leaf;
}

function valuesAt(word: string, reader: Reader): readonly string[] {
  if (COMMANDS.has(word)) return commandAt(reader);
  // A word that is not written out may be a test without a value, or no test at all.
  const count = BARE.has(word) || !word.startsWith("-") || isOpen(word) ? 0 : word === "-fprintf" ? 2 : 1;
  const value = reader.words.slice(reader.at, reader.at + count);
  reader.at += value.length;
  return value;
}

/** Up to `;`, or to a `+` after `{}`. */
function commandAt(reader: Reader): readonly string[] {
  const rest = reader.words.slice(reader.at);
  const found = rest.findIndex((word, at) => word === ";" || (word === "+" && rest[at - 1] === "{}"));
  const end = found < 0 ? rest.length : found;
  reader.at += end + 1;
  return rest.slice(0, end);
}
