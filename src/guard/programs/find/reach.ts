// What each action of a `find` reaches: the expression is evaluated in its order, over sets of files that are described by
// the tests which they passed. A test after an action narrows nothing.

import { matches } from "../../words/glob.ts";
import { words } from "../../words/options.ts";
import { DEEP, globbed, hasGlob, isOpen, SET_CLOSE, SET_OPEN, STAR, UNKNOWN, unglobbed } from "../../words/symbols.ts";

/** Files that passed these tests. `names` and `not` are patterns; `some`: also a test that the text does not decide. */
type Passed = {
  readonly names: readonly string[];
  readonly not: readonly string[];
  readonly path: string | null;
  readonly some: boolean;
};

type Split = { readonly yes: readonly Passed[]; readonly no: readonly Passed[] };
type Reached = Map<Leaf, readonly Passed[]>;

/** They are true of every file. */
const SETTINGS =
  /^-(?:maxdepth|mindepth|depth|d|xdev|mount|x|noleaf|daystart|follow|regextype|(?:no)?(?:warn|ignore_readdir_race))$/;

const ALL: Passed = { names: [], not: [], path: null, some: false };
const MAX_SETS = 64;

const NAMES = /^-i?name$/;
const PATHS = /^-i?(?:path|wholename)$/;
/** Tests that pick some files, though the text does not say which; so does what they leave out. */
const PICKS =
  /^-(?:empty|[acmB]?newer\w*|[acmB](?:time|min)|size|user|group|perm|uid|gid|inum|samefile|links|nouser|nogroup|used|regex|iregex|lname|ilname|context|fstype|flags|sparse)$/;

/** The paths that the action reaches; `leaf` null: what is printed where there is no action. */
export function pathsOf(call: FindCall, leaf: Leaf | null, homes: readonly string[]): readonly string[] {
  const reached: Reached = new Map();
  const { yes } = call.expression === null ? { yes: [ALL] } : evaluate(call.expression, [ALL], reached);
  const sets = leaf === null ? yes : (reached.get(leaf) ?? []);
  return [...new Set(call.roots.flatMap((root) => sets.flatMap((passed) => below(root, passed, call, homes))))];
}

function evaluate(expression: Expression, sets: readonly Passed[], reached: Reached): Split {
  switch (expression.kind) {
    case "not": {
      const { yes, no } = evaluate(expression.part, sets, reached);
      return { yes: no, no: yes };
    }
    case "and": {
      const left = evaluate(expression.left, sets, reached);
      const right = evaluate(expression.right, left.yes, reached);
      return { yes: right.yes, no: bounded([...left.no, ...right.no]) };
    }
    case "or": {
      const left = evaluate(expression.left, sets, reached);
      const right = evaluate(expression.right, left.no, reached);
      return { yes: bounded([...left.yes, ...right.yes]), no: right.no };
    }
    case "comma": {
      // The last part should decide, but GNU find reorders longer lists and then another one does.
      const left = evaluate(expression.left, sets, reached);
      const right = evaluate(expression.right, sets, reached);
      return { yes: bounded([...left.yes, ...right.yes]), no: bounded([...left.no, ...right.no]) };
    }
    case "action":
      reached.set(expression, bounded([...(reached.get(expression) ?? []), ...sets]));
      return acted(expression.word, sets);
    case "test":
      return tested(expression, sets);
  }
}

const bounded = (sets: readonly Passed[]): readonly Passed[] => (sets.length > MAX_SETS ? [ALL] : sets);

function acted(word: string, sets: readonly Passed[]): Split {
  if (word === "-quit") return { yes: [], no: [] };
  // A command and a deletion may fail.
  return /^-(?:exec|ok|delete)/.test(word) ? { yes: sets, no: sets } : { yes: sets, no: [] };
}

function tested({ word, value: [value = ""] }: Leaf, sets: readonly Passed[]): Split {
  if (word === "-true") return { yes: sets, no: [] };
  if (word === "-false") return { yes: [], no: sets };
  if (NAMES.test(word)) return named(patternOf(word, value), sets);
  const some = sets.map((passed) => ({ ...passed, some: true }));
  if (PATHS.test(word)) {
    const path = patternOf(word, value);
    if (matchesAll(path)) return { yes: sets, no: [] };
    return { yes: sets.map((passed) => ({ ...passed, path })), no: sets };
  }
  if (/regex$/.test(word)) return /^\^?\.\*\$?$/.test(value) ? { yes: sets, no: [] } : { yes: some, no: sets };
  if (PICKS.test(word)) return { yes: some, no: some };
  // A word that is not written out is a test more often than `-o`, or an action: judgeFind asks about those.
  if (isOpen(word)) return { yes: some, no: some };
  return SETTINGS.test(word) ? { yes: sets, no: [] } : { yes: sets, no: sets };
}

function named(name: string, sets: readonly Passed[]): Split {
  if (name === "") return { yes: [], no: sets };
  if (isOpen(name)) {
    const some = sets.map((passed) => ({ ...passed, some: true }));
    return { yes: some, no: some };
  }
  if (matchesAll(name)) return { yes: sets, no: [] };
  return {
    yes: sets.map((passed) => ({ ...passed, names: [...passed.names, name] })),
    no: sets.map((passed) => ({ ...passed, not: [...passed.not, name] })),
  };
}

/** Either case of each letter, where the test compares without case. */
function patternOf(word: string, value: string): string {
  const pattern = globbed(unglobbed(value));
  if (!/^-i/.test(word)) return pattern;
  let inSet = false;
  return [...pattern]
    .map((char) => {
      if (char === SET_OPEN || char === SET_CLOSE) inSet = char === SET_OPEN;
      const [lower, upper] = [char.toLowerCase(), char.toUpperCase()];
      if (lower === upper) return char;
      return inSet ? lower + upper : `${SET_OPEN}${lower}${upper}${SET_CLOSE}`;
    })
    .join("");
}

const matchesAll = (pattern: string): boolean => ["zq-probe.1", "/x/9"].every((probe) => matches(pattern, probe, true));

const partsOf = (root: string): { readonly parent: string; readonly base: string } => {
  const plain = root.replace(/(?<=.)\/+$/, "");
  const slash = plain.lastIndexOf("/");
  return { parent: plain.slice(0, slash + 1), base: plain.slice(slash + 1) || "/" };
};

/** The root itself, what is right below it, and what is deeper. An empty root is no path: find fails. */
function below(
  root: string,
  passed: Passed,
  { depth: { least, most } }: FindCall,
  homes: readonly string[],
): readonly string[] {
  if (root === "") return [];
  const inside = root.endsWith("/") ? root.slice(0, -1) : root;
  const [name] = passed.names;
  if (name === undefined) {
    const fixed = passed.path === null ? null : fixedPath(passed.path, inside);
    if (fixed !== null) return passed.some && fixed.endsWith(DEEP) ? [fixed.replace(DEEP, UNKNOWN)] : [fixed];
    if (passed.some || passed.path !== null) return [`${inside}/${UNKNOWN}`];
  }
  const paths = least === 0 ? rootItself(root, passed) : [];
  if (most === 0) return paths;
  if (name === undefined) return [...paths, `${inside}/${DEEP}`];
  if (least <= 1) paths.push(...rightBelow(inside, name, most === 1 ? null : homes));
  if (most > 1) paths.push(`${inside}/${UNKNOWN}/${name}`);
  return paths;
}

function rootItself(root: string, { names, not }: Passed): string[] {
  const { parent, base } = partsOf(root);
  if (hasGlob(base) || isOpen(base))
    return names.length === 0 ? [root] : names.slice(0, 1).map((name) => parent + name);
  const admitted = names.every((name) => matches(name, base)) && !not.some((name) => matches(name, base));
  return admitted ? [root] : [];
}

/** At any depth below all homes, a name is that of a home only where it is one. */
function rightBelow(inside: string, name: string, homes: readonly string[] | null): readonly string[] {
  const path = `${inside}/${name}`;
  if (homes === null || !/^\/(?:home|Users)$/.test(inside)) return [path];
  if (homes.some((home) => matches(path, home))) return [path];
  return /^[a-z][a-z\d-]*$/.test(name) ? [`${inside}/${UNKNOWN}`] : [];
}

/** `-path '/usr/*'` is all below one directory, `-path /usr` is that directory. Null: some path of the root. */
function fixedPath(path: string, inside: string): string | null {
  const plain = path.endsWith(`/${STAR}`) ? path.slice(0, -1) : path;
  if (hasGlob(plain) || isOpen(plain) || !`${plain}/`.startsWith(`${inside}/`)) return null;
  return plain === path ? path : `${plain}${DEEP}`;
}

// The command line of `find` as a tree: its roots, its global options, and its expression with the precedence of the manual.

/** A test is named by its word, an action also by the command that it runs. `value` is what follows the word. */
export type Leaf = { readonly kind: "test" | "action"; readonly word: string; readonly value: readonly string[] };

type Expression =
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
