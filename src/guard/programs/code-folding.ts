// Folds away the simplest of what hides a literal in code of another language: variables and aliases bound once, character
// codes, formatting, arguments of the command line, the home directory. The code is not interpreted.
import { JOINED_TEXT, TEXT } from "./code-literals.ts";

export type Known = {
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
    .replace(new RegExp(`getattr\\(\\s*[\\w.]+\\s*,\\s*(${TEXT})\\s*\\)`, "g"), (_, name: string) => name.slice(1, -1))
    .replace(new RegExp(`(${TEXT})\\s*%\\s*\\(?\\s*(${TEXT})`, "g"), (_, format: string, value: string) =>
      format.replace("%s", () => value.slice(1, -1)),
    )
    .replace(/\]\s*\+\s*\[/g, ", ");
  return withBindings(withAliases(plain));
}

/** `from shutil import rmtree as r`. */
function withAliases(code: string): string {
  const aliases = [...code.matchAll(/\b(\w+)\s+as\s+(\w+)/g)].slice(0, MAX_BINDINGS);
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
