// Says what each action of a `find` reaches: the expression is evaluated in its order, over sets of files that are described by
// the tests which they passed. A test after an action narrows nothing.
import { matches } from "../../../words/glob.ts";
import {
  DEEP,
  globbed,
  hasGlob,
  isOpen,
  SET_CLOSE,
  SET_OPEN,
  STAR,
  UNKNOWN,
  unglobbed,
} from "../../../words/symbols.ts";
import type { Expression, FindCall, Leaf } from "./expression.ts";

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

const OF_DISKS = /^(?:ext[234]|xfs|btrfs|zfs|f2fs|jfs|apfs|hfs|ufs)$/;

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
  // On most machines that is the root and all below it.
  if (word === "-fstype" && OF_DISKS.test(value)) return { yes: sets, no: sets };
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
