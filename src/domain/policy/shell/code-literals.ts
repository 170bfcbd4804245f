// The string literals of code in another language, with the simplest of what hides them folded away: a variable bound to
// a literal, concatenation, character codes, base64, the home directory. The code is not interpreted.

const LITERAL =
  /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|(?:qx|%x|qq|qw|q)[{(/]([^})/]*(?:\/[^})]*)?)[})/]/gs;
const BINDING =
  /(?:\b(?:const|let|var|my|our|local)\s+)?([$@]?\b[A-Za-z_]\w*)\s*:?=\s*((?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')(?:\s*[+.]\s*(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))*)\s*(?=[;\n]|$)/g;
const HOME =
  /os\.path\.expanduser\(\s*["']~["']\s*\)|(?:os\.)?(?:getenv|environ\.get)\(\s*["']HOME["']\s*\)|os\.environ\[["']HOME["']\]|process\.env\.HOME|ENV\[["']HOME["']\]|\$ENV\{["']?HOME["']?\}|(?:pathlib\.)?Path\.home\(\)|(?:os\.|require\(["']os["']\)\.)homedir\(\)|Dir\.home/g;
const MAX_BINDINGS = 16;

/** Runs of literals: those with only commas, brackets and white space between them are the words of one call. */
export function literalRuns(text: string): readonly (readonly string[])[] {
  const runs: string[][] = [];
  let end = -1;
  for (const match of text.matchAll(LITERAL)) {
    const literal = unescaped(match.slice(1).find((group) => group !== undefined) ?? "");
    const between = end < 0 ? "x" : text.slice(end, match.index);
    const last = runs.at(-1);
    if (last !== undefined && /^\s*[+.]?\s*$/.test(between)) last.push(`${last.pop() ?? ""}${literal}`);
    else if (last !== undefined && /^[\s,[(]*$/.test(between)) last.push(literal);
    else runs.push([literal]);
    end = match.index + match[0].length;
  }
  return runs;
}

/** The code with what is known written out as literals. */
export function folded(code: string, home: string): string {
  const plain = code
    .replace(HOME, () => JSON.stringify(home))
    .replace(/\b(?:chr|String\.fromCharCode)\(\s*(\d{1,3}(?:\s*,\s*\d{1,3})*)\s*\)/g, (_, codes: string) =>
      JSON.stringify(String.fromCharCode(...codes.split(",").map(Number))),
    );
  const bound = [...plain.matchAll(BINDING)].slice(0, MAX_BINDINGS);
  return bound.reduce((text, [whole, name = "", value = ""]) => {
    const [before = "", ...after] = text.split(whole);
    const inserted = after.join(whole).replace(occurrence(name), (_, left: string) => `${left}${value}`);
    return before + whole + inserted;
  }, plain);
}

/** The name as a word of its own; it is letters, digits and `_`, perhaps behind `$` or `@`. */
const occurrence = (name: string): RegExp => new RegExp(`(^|[^\\w$@.])${name.replace(/^[$@]/, "\\$&")}(?!\\w)`, "g");

const unescaped = (text: string): string =>
  text
    .replace(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\([^nt])/g, "$1")
    .replaceAll("\\n", "\n")
    .replaceAll("\\t", "\t");

/** The code without what stands in quotes. A comment may hold a single quote, so code with comments stays whole. */
export function outsideLiterals(code: string): string {
  const outside = code.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, (literal) => literal.charAt(0).repeat(2));
  return /#|\/\//.test(outside) ? code : outside;
}

const CALL =
  "\\b(?:os\\.(?:system|popen|exec\\w+|spawn\\w+)|subprocess\\.(?:run|call|check_call|check_output|Popen|getoutput)|" +
  "execSync|spawnSync|execFileSync|rmtree|rmSync|remove_tree|rm_rf?|system|shell_exec|passthru)\\s*\\(\\s*";
const TEXT = "(?:\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*')";
/** A name or another call as the first argument; a literal with something else behind it; interpolation. */
const UNKNOWN_ARGUMENT = [
  new RegExp(`${CALL}[A-Za-z_$@]`),
  new RegExp(`${CALL}${TEXT}\\s*[+.%]?\\s*[A-Za-z_$@(]`),
  new RegExp(`${CALL}\`[^\`]*\\$\\{`),
  new RegExp(`${CALL}"[^"]*(?:#\\{|[$@]\\w)`),
];

/** Whether the code runs or deletes something that does not stand in it as a literal. */
export const callsUnknown = (text: string): boolean => UNKNOWN_ARGUMENT.some((pattern) => pattern.test(text));

/** What a literal holds in base64 or hex, null when it is neither. */
export function decodedLiteral(literal: string): string | null {
  const hex = /^(?:[0-9a-fA-F]{2}){4,}$/.test(literal);
  if (!hex && !/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(literal)) return null;
  const text = Buffer.from(literal, hex ? "hex" : "base64").toString("utf8");
  return /^[\x20-\x7e\s]+$/.test(text) ? text : null;
}
