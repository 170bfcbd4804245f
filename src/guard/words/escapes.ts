// Backslash escapes and formats: the text that `printf`, `echo -e` and `$'...'` make.
import { isUnknown, SOME, scrub, unknownFrom } from "./symbols.ts";

const LETTERS = new Map(
  Object.entries({ n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v", e: "\x1b", E: "\x1b", "\\": "\\" }),
);
const MAX_ROUNDS = 256;

const CODES = "x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})";
const OF_FORMAT = new RegExp(String.raw`\\(?:${CODES}|([0-7]{1,3})|([\s\S]))`, "g");
const OF_ARGUMENT = new RegExp(String.raw`\\(?:${CODES}|0?([0-7]{1,3})|([\s\S]))`, "g");

/** Ends the output: `\c` of an argument. Scrubbed from texts, as the markers are. */
const END = "\uFDDF";

const decoded = (text: string, pattern: RegExp, letterOf: (letter: string) => string | undefined): string =>
  text.replace(pattern, (whole, ...groups: (string | undefined)[]) => {
    const [hex, unicode, long, octal, letter = ""] = groups;
    const digits = hex ?? unicode ?? long;
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    if (digits === undefined) return letterOf(letter) ?? whole;
    const code = Number.parseInt(digits, 16);
    return code <= 0x10ffff ? scrub(String.fromCodePoint(code)) : whole;
  });

/** The escapes of a format: `\n`, `\x41`, `\101`, `\u0041`, `\"`. */
export const decodeFormat = (text: string): string =>
  decoded(text, OF_FORMAT, (letter) => (/["?]/.test(letter) ? letter : LETTERS.get(letter)));

/** A text of awk: what is no escape is the letter. */
export const decodeLiteral = (text: string): string =>
  decoded(text, OF_FORMAT, (letter) => LETTERS.get(letter) ?? letter);

const decodeArgument = (text: string): string =>
  decoded(text, OF_ARGUMENT, (letter) => (letter === "c" ? END : LETTERS.get(letter)));

const untilEnd = (text: string): string => text.split(END, 1)[0] ?? "";

/** The escapes of `echo -e` and of `%b`: an octal number may begin with one more zero, and `\c` ends the text. */
export const decodeEscapes = (text: string): string => untilEnd(decodeArgument(text));

/** `$'...'`: the parser drops a backslash before a line's end there, which bash keeps. */
export const ansiDecoded = (text: string): string =>
  text.replace(
    /\\(?:x\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g,
    (whole, ...groups: (string | undefined)[]) => {
      const [braced, hex, unicode, long, octal, control, letter = ""] = groups;
      const digits = braced ?? hex ?? unicode ?? long;
      const code =
        digits !== undefined
          ? Number.parseInt(digits, 16)
          : octal !== undefined
            ? Number.parseInt(octal, 8) & 255
            : null;
      if (code !== null) return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 31);
      return /['"?]/.test(letter) ? letter : (LETTERS.get(letter) ?? whole);
    },
  );

/** The format is used again while arguments are left. */
export function formatted(format: string, values: readonly string[]): string {
  if (isUnknown(format)) return unknownFrom([format, ...values]);
  const left = [...values].reverse();
  let text = "";
  let rounds = 0;
  do {
    const before = left.length;
    text += once(format, left);
    rounds += 1;
    if (left.length === before) break;
  } while (left.length > 0 && rounds < MAX_ROUNDS);
  return left.length > 0 && rounds === MAX_ROUNDS ? unknownFrom(values) : untilEnd(text);
}

const DIRECTIVE = /%(?:(%)|\(([^)]*)\)T|[-+ 0#]*(?:\*|\d*)(?:\.(\d+))?([a-zA-Z]))/g;

/** `values` are in reverse order. A per cent sign that comes from an escape is text and no directive. */
function once(format: string, values: string[]): string {
  let text = "";
  let at = 0;
  for (const match of format.matchAll(DIRECTIVE)) {
    text += decodeFormat(format.slice(at, match.index));
    at = match.index + match[0].length;
    const [, percent, time, precision, kind = ""] = match;
    if (percent !== undefined) text += "%";
    else if (time !== undefined) text += time.replace(/%[A-Za-z]/g, SOME);
    else text += converted(kind, precision, values.pop() ?? "");
  }
  return text + decodeFormat(format.slice(at));
}

function converted(kind: string, precision: string | undefined, value: string): string {
  if (kind === "b") return decodeArgument(value);
  if (kind === "c") return value.slice(0, 1);
  if (/^\d{1,9}$/.test(value) && /[oxX]/.test(kind)) return Number(value).toString(kind === "o" ? 8 : 16);
  return kind === "s" && precision !== undefined ? value.slice(0, Number(precision)) : value;
}
