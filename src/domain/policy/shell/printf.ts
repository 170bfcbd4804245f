// The text that `printf` and `echo -e` make of their arguments.
import { scrub, UNKNOWN } from "./symbols.ts";

const LETTERS = new Map(
  Object.entries({ n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v", e: "\x1b", "\\": "\\" }),
);
const MAX_ROUNDS = 256;

/** `\n`, `\x41`, `\101`, `\0101`, `\u0041`. */
export const decodeEscapes = (text: string): string =>
  text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|(.))/gs,
    (whole, hex, unicode, octal, letter) => {
      const digits: string | undefined = hex ?? unicode;
      if (digits !== undefined) return scrub(String.fromCharCode(Number.parseInt(digits, 16)));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
      return LETTERS.get(letter) ?? whole;
    },
  );

/** The format is used again while arguments are left. */
export function formatted(format: string, values: readonly string[]): string {
  if (format.includes(UNKNOWN)) return UNKNOWN;
  const left = [...values].reverse();
  let text = "";
  let rounds = 0;
  do {
    const before = left.length;
    text += once(format, left);
    rounds += 1;
    if (left.length === before) break;
  } while (left.length > 0 && rounds < MAX_ROUNDS);
  return left.length > 0 && rounds === MAX_ROUNDS ? UNKNOWN : text;
}

/** `values` are held last first. */
function once(format: string, values: string[]): string {
  return decodeEscapes(format).replace(
    /%(%|([-+ 0#]*)(\*|\d*)(?:\.(\d+))?([a-zA-Z]))/g,
    (_, whole, _flags, _width, precision, kind) => {
      if (whole === "%") return "%";
      const value = values.pop() ?? "";
      if (kind === "b") return decodeEscapes(value);
      if (kind === "c") return value.slice(0, 1);
      if (/^\d{1,9}$/.test(value) && /[oxX]/.test(kind)) return Number(value).toString(kind === "o" ? 8 : 16);
      return kind === "s" && precision !== undefined ? value.slice(0, Number(precision)) : value;
    },
  );
}
