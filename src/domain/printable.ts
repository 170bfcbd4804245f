// Makes text from commands, contracts and models safe to show, on a terminal or a page. Characters that are interpreted there, or
// not seen, are written as escapes.

// Control and formatting characters, invisible characters, unpaired surrogates, private-use characters, line and
// paragraph separators.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const SHORT: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return SHORT.get(character) ?? (code < 256 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`);
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");

export const printable = (text: string): string => text.replace(INVISIBLE, escaped);

const SHOWN_AS_ESCAPES = new RegExp(`((?:(?![\\t\\n])${INVISIBLE.source})+)`, "u");

/** The text in parts: what is shown as it is, line feeds and tabs too, and escapes of the rest. */
export const printableParts = (text: string): { readonly text: string; readonly is_escape: boolean }[] =>
  text
    .split(SHOWN_AS_ESCAPES)
    .map((part, at) => (at % 2 === 0 ? { text: part, is_escape: false } : { text: printable(part), is_escape: true }));

/** The lines of the text. Tabs stay; a final line end adds no empty line. */
export const printableLines = (text: string): string[] =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => line.split("\t").map(printable).join("\t"));

/** JSON on one line, or indented, with JSON escapes for what would be interpreted. */
export const printableJson = (value: unknown, indent?: number): string => inJson(JSON.stringify(value, null, indent));

/** Uses JSON escapes, so that the text remains JSON. */
export const inJson = (json: string): string =>
  json.replace(INVISIBLE, (character) =>
    character === "\n"
      ? character
      : unitsOf(character)
          .map((unit) => `\\u${hex(unit, 4)}`)
          .join(""),
  );

/** The first line, for a table cell. Another command shows the whole text. */
export function firstLine(text: string): string {
  const [first = "", ...more] = text.trim().split("\n");
  return printable(more.length === 0 ? first : `${first} ...`);
}

/** A value for a command line that the user copies into a shell. A value that is not a plain word is replaced by its name. */
export const plainWord = (value: string, name: string): string => (/^\w[\w.:/-]*$/.test(value) ? value : name);

/** Like plainWord, but quotes other values. The name replaces an invisible character or a leading hyphen. */
export function shellWord(value: string, name: string): string {
  if (value === "" || value.startsWith("-") || value !== printable(value)) return name;
  return plainWord(value, `'${value.replaceAll("'", "'\\''")}'`);
}

const unitsOf = (character: string): number[] =>
  Array.from({ length: character.length }, (_, position) => character.charCodeAt(position));

// Defines the mark that replaces a secret in every text that orch keeps.

export const REDACTED = "[redacted]";

/** `1 step`, `2 steps`, in a sentence to the supervisor. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** `812 ms`, `3.2 s`, `4 min 10 s`. */
export function span(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
