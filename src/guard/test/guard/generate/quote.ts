// Ways to write a text as one shell word.
import type { Random } from "./random.ts";

export const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const double = (text: string): string => `"${text.replace(/[\\"$`]/g, "\\$&")}"`;

const hex = (char: string): string => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`;
const octal = (char: string): string => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`;
const unicode = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

export const isAscii = (text: string): boolean => /^[\n\t -~]*$/.test(text);

/** Every character, or some of them, as an escape of `$'…'`, `printf` and `echo -e`. */
export function escaped(text: string, random: Random): string {
  const encode = random.pick([hex, octal, unicode]);
  const whole = random.chance(0.5);
  return [...text]
    .map((char) => (whole || /[^\w ./-]/.test(char) || random.chance(0.3) ? encode(char) : char))
    .join("");
}

export const ansi = (text: string, random: Random): string => `$'${escaped(text, random)}'`;

/** Each of these yields the text as one word again, newlines kept. */
export function quoted(text: string, random: Random): string {
  return isAscii(text) && random.chance(0.15) ? ansi(text, random) : random.pick([single, single, double])(text);
}

/** Plain where nothing in it is special to the shell. */
export const plain = (text: string): string => (/^[\w./:=,@%+-]+$/.test(text) ? text : single(text));

/** What separates the words of a compound command. */
export function body(text: string, random: Random): string {
  const needsLine = text.includes("\n") || /[&#]\s*$/.test(text) || text.includes("#");
  return needsLine || random.chance(0.2) ? `\n${text}\n` : ` ${text}; `;
}
