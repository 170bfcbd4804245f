// Text from commands, contracts and models on its way to a terminal: data, and never an instruction to it. What a terminal
// would act on, or not show, is written out as an escape.
import stringify from "json-stringify-pretty-compact";
import type { Json } from "../domain/json.ts";

// Control characters, those that turn or hide text or show nothing, halves of surrogate pairs, private ones, line and
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

/** In one line. */
export const printable = (text: string): string => text.replace(INVISIBLE, escaped);

/** Line by line; tabs stay, and the end of the last line is no line. */
export const printableLines = (text: string): string[] =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => line.split("\t").map(printable).join("\t"));

/** JSON on one line or several, with everything that a terminal might act on as an escape of JSON itself. */
export const printableJson = (value: unknown, indent?: number): string => inJson(JSON.stringify(value, null, indent));

/** The same for reading: what fits a line takes one. */
export const compactJson = (value: Json): string => inJson(stringify(value, { maxLength: 100 }));

/** With the escapes of JSON itself, so that it stays JSON. */
const inJson = (json: string): string =>
  json.replace(INVISIBLE, (character) =>
    character === "\n"
      ? character
      : unitsOf(character)
          .map((unit) => `\\u${hex(unit, 4)}`)
          .join(""),
  );

/** For a cell of a table: the whole text stands elsewhere. */
export function firstLine(text: string): string {
  const [first = "", ...more] = text.trim().split("\n");
  return printable(more.length === 0 ? first : `${first} ...`);
}

/** A value in a command line that is there to be copied into a shell: only what is a plain word there, else its name. */
export const plainWord = (value: string, name: string): string => (/^\w[\w.:/-]*$/.test(value) ? value : name);

/** The same with quotes around what is no plain word. Its name stands for what a terminal does not show, and for an option. */
export function shellWord(value: string, name: string): string {
  if (value === "" || value.startsWith("-") || value !== printable(value)) return name;
  return plainWord(value, `'${value.replaceAll("'", "'\\''")}'`);
}

const unitsOf = (character: string): number[] =>
  Array.from({ length: character.length }, (_, position) => character.charCodeAt(position));
