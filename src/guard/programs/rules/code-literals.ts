// Finds the string literals of code in another language, the calls that they are given to, and the simplest of what hides them.
// The code is not interpreted.
import { DEEP } from "../../words/symbols.ts";

const TEXT = "(?:\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*')";

/** Literals joined by an operator. */
const JOINED_TEXT = `${TEXT}(?:\\s*[+.]\\s*${TEXT})*`;

const CODE_LITERALS_LITERAL =
  /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|(?:qx|%x|%[wW]|qq|qw|q)(?:\{([^}]*)\}|\(([^)]*)\)|\[([^\]]*)\]|\/((?:[^/\\]|\\.)*)\/)|\[\[([^\]"']*)\]\]|<(\/[^>\s]*)>/gs;

type Run = { readonly words: string[]; end: number };

/** Runs of literals: those with only commas, brackets and white space between them are the words of one call. */
function runsIn(text: string): readonly Run[] {
  const runs: Run[] = [];
  for (const match of text.matchAll(CODE_LITERALS_LITERAL)) {
    const found = unescaped(match.slice(1).find((group) => group !== undefined) ?? "");
    const words = /^(?:qw|%[wW])/.test(match[0]) ? found.split(/\s+/).filter((word) => word !== "") : [found];
    const last = runs.at(-1);
    const between = last === undefined ? "x" : text.slice(last.end, match.index);
    const end = match.index + match[0].length;
    if (last !== undefined && /^\s*[+.]?\s*$/.test(between))
      last.words.push(`${last.words.pop() ?? ""}${words.join(" ")}`);
    else if (last !== undefined && /^[\s,[(*]*(?:\bc\()?$/.test(between)) last.words.push(...words);
    else runs.push({ words, end });
    const current = runs.at(-1);
    if (current !== undefined) current.end = end;
  }
  return runs;
}

export const literalRuns = (text: string): readonly (readonly string[])[] => runsIn(text).map(({ words }) => words);

/** An element that is no literal: a name, a variable, a line of input, or a literal that a method changes. */
const NO_LITERAL = /^\s*(?:,\s*\[?\s*(?![A-Za-z_]\w*\s*=[^=])[A-Za-z_$@<*]|\.\s*[A-Za-z_]\w*\s*\()/;

/** Runs of literals that go on with something else: the words of a command of which the rest is not known. */
export const openRuns = (text: string): readonly (readonly string[])[] =>
  runsIn(text).flatMap(({ words, end }) => (NO_LITERAL.test(text.slice(end, end + 64)) ? [words] : []));

const unescaped = (text: string): string =>
  text
    .replace(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\([^nt])/g, "$1")
    .replaceAll("\\n", "\n")
    .replaceAll("\\t", "\t");

/** The code without its quoted texts. A comment may contain a single quote, so code with comments stays whole. */
export function outsideLiterals(code: string): string {
  const outside = code.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, (literal) => literal.charAt(0).repeat(2));
  return /#|\/\//.test(outside) ? code : outside;
}

/** Literals from a call on, up to the end of its line or statement. */
const literalsBehind = (call: RegExp, text: string): readonly string[] =>
  [...text.matchAll(call)].flatMap(([segment]) => literalRuns(segment).flat());

const DELETE =
  /(?:\b(?:rmtree|rmSync|rmdirSync|removeSync|removeAll|remove_all|rimraf|rm_rf|rm_r|remove_tree|remove_entry(?:_secure)?|remove_dir|unlink(?=\([^)]*recursive))|\.rm(?=\s*\()|\brm(?=\())[^\n;]*/g;

const WALK = /\b(?:walk|rglob|glob|finddepth|find|readdir\w*|scandir|opendir)\b|<\//;

const UNLINK = /\b(?:unlink\w*|os\.remove|rmdir|remove)\b/;

/** The literals that are given to a call that deletes a tree, or that a loop of deletions walks through. */
export function deletedBy(text: string): readonly string[] {
  if ((WALK.test(text) || text.includes(DEEP)) && UNLINK.test(text)) return literalRuns(text).flat();
  return literalsBehind(DELETE, text);
}

export const movedBy = (text: string): readonly string[] =>
  literalsBehind(/(?:\b(?:rename|renameSync|move)\b|FileUtils\.mv\b)[^\n;]*/g, text);

export const changedBy = (text: string): readonly string[] => literalsBehind(/\bch(?:mod|own)_R\b[^\n;]*/g, text);

/** The directory that the code goes to, or gives to what it starts. */
export const directoryOf = (text: string): string | null =>
  literalsBehind(/\bchdir\b[^\n;]*|\bcwd\s*[:=]\s*["'][^\n;]*/g, text)[0] ?? null;

const PRINTS = new RegExp(
  `^(?:[^"'\`]*[;\\n])?[^\\S\\n]*(?:print|puts|say|echo|console\\.log|(?:process|sys)\\.stdout\\.write)\\s*(?:\\(\\s*)?(${TEXT}|q[qw]?\\{[^}]*\\})\\s*(?:\\)\\s*)?(?:;\\s*)?$`,
);

/** What code that only prints a literal prints, with escapes taken for what they stand for and as they are. */
export function printedBy(code: string): readonly string[] {
  const [, literal] = PRINTS.exec(code) ?? [];
  if (literal === undefined) return [];
  const raw = literal.replace(/^q[qw]?|^/, "").slice(1, -1);
  return [...new Set([...(literalRuns(literal)[0]?.slice(0, 1) ?? []), raw])];
}

/** What a literal holds in base64 or hex, null when it is neither. */
export function decodedLiteral(literal: string): string | null {
  const hex = /^(?:[0-9a-fA-F]{2}){4,}$/.test(literal);
  if (!hex && !/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(literal)) return null;
  const text = Buffer.from(literal, hex ? "hex" : "base64").toString("utf8");
  return /^[\x20-\x7e\s]+$/.test(text) ? text : null;
}

type Known = {
  readonly home: string;
  /** The words after the code on the command line. */
  readonly args: readonly string[];
};

const BINDING = new RegExp(
  `(?:\\b(?:const|let|var|my|our|local)\\s+)?([$@]?\\b[A-Za-z_]\\w*)\\s*:?=\\s*(${JOINED_TEXT})\\s*(?=[;\\n]|$)`,
  "g",
);

const HOME =
  /os\.path\.expanduser\(\s*["']~["']\s*\)|(?:os\.)?(?:getenv|environ\.get)\(\s*["']HOME["']\s*\)|os\.environ\[["']HOME["']\]|process\.env\.HOME|ENV\[["']HOME["']\]|\$ENV\{["']?HOME["']?\}|(?:pathlib\.)?Path\.home\(\)|(?:os\.|require\(["']os["']\)\.)homedir\(\)|Dir\.home/g;

/** `"%s -rf %s" % ("rm", "/x")`. */
const FORMATTED = new RegExp(`(${TEXT})\\s*%\\s*(${TEXT}|\\(\\s*${TEXT}(?:\\s*,\\s*${TEXT})*\\s*,?\\s*\\))`, "g");

const ARGUMENT = /(?:sys\.argv|process\.argv|\$?ARGV)\[(\d)\]/g;

const MAX_BINDINGS = 16;

/** Lines that are comments in one of the languages. */
export const uncommented = (code: string): string => code.replace(/^[ \t]*(?:#(?!!)|\/\/).*$/gm, "");

/** The code with what is known written out as literals. */
export function folded(code: string, { home, args }: Known): string {
  const plain = code
    .replace(HOME, () => JSON.stringify(home))
    .replace(ARGUMENT, (whole, at: string) => {
      const value = args[Number(at) - (/^\$?A/.test(whole) ? 0 : 1)];
      return value === undefined ? whole : JSON.stringify(value);
    })
    .replace(/@ARGV\b/g, () => args.map((arg) => JSON.stringify(arg)).join(", "))
    .replace(/\b(?:chr|String\.fromCharCode)\(\s*(\d{1,3}(?:\s*,\s*\d{1,3})*)\s*\)/g, (_, codes: string) =>
      JSON.stringify(String.fromCharCode(...codes.split(",").map(Number))),
    )
    .replace(FORMATTED, (_, format: string, values: string) =>
      literalRuns(values)
        .flat()
        .reduce((text, value) => text.replace("%s", () => value), format),
    )
    .replace(/\]\s*\+\s*\[/g, ", ");
  return withMembers(withBindings(withAliases(withMembers(plain))));
}

/** `getattr(os, "sys" + "tem")` and `fs["rm" + "Sync"]`. */
const MEMBER = new RegExp(
  `\\bgetattr\\(\\s*[\\w.]+\\s*,\\s*(${JOINED_TEXT})\\s*\\)|\\[\\s*(${JOINED_TEXT})\\s*\\]\\s*(?=\\()`,
  "g",
);

const withMembers = (code: string): string =>
  code.replace(MEMBER, (whole, attribute?: string, key?: string) => {
    const name = literalRuns(attribute ?? key ?? "")[0]?.join("") ?? "";
    return /^\w+$/.test(name) ? `${key === undefined ? "" : "."}${name}` : whole;
  });

/** `from shutil import rmtree as r`, `const { rmSync: r } = require("fs")`, `r = shutil.rmtree`. */
const ALIAS = /\b(\w+)\s+as\s+(\w+)|(?<=[{,]\s*)(\w+)\s*:\s*(\w+)(?=[^{}()]*\}\s*=)/g;

const REFERENCE = /\b(\w+)\s*=\s*(?:[\w]+(?:\([^()]*\))?\.)+(\w+)\s*(?=[;\n]|$)/g;

function withAliases(code: string): string {
  const aliases = [
    ...[...code.matchAll(ALIAS)].map(([, name, alias, key, as]) => ["", name ?? key, alias ?? as]),
    ...[...code.matchAll(REFERENCE)].map(([, alias, name]) => ["", name, alias]),
  ].slice(0, MAX_BINDINGS);
  return aliases.reduce(
    (text, [, name = "", alias = ""]) =>
      text.replace(occurrence(alias, "(?=\\s*[(.])"), (_, left: string) => left + name),
    code,
  );
}

function withBindings(code: string): string {
  return boundIn(code).reduce((text, [whole, name, value]) => {
    const [before = "", ...after] = text.split(whole);
    return (
      before +
      whole +
      outsideTexts(after.join(whole), (part) => part.replace(occurrence(name), (_, left: string) => left + value))
    );
  }, code);
}

const outsideTexts = (text: string, change: (part: string) => string): string =>
  text
    .split(new RegExp(`(${TEXT})`))
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join("");

/** Each binding: its source text, the name, and the literals it is bound to. */
export const boundIn = (code: string): readonly (readonly [string, string, string])[] =>
  [...code.matchAll(BINDING)].slice(0, MAX_BINDINGS).map(([whole, name = "", value = ""]) => [whole, name, value]);

/** The name as a word of its own, outside of longer ones; it is letters, digits and `_`, perhaps after `$` or `@`. */
const occurrence = (name: string, after = "(?!\\w)"): RegExp =>
  new RegExp(`(^|[^\\w$@."'])${name.replace(/^[$@]/, "\\$&")}${after}`, "g");
