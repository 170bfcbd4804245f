// The plain part of regular expressions, as patterns of glob.ts: text from a command never becomes a RegExp.
import { QUESTION, SET_CLOSE, SET_OPEN, STAR } from "./symbols.ts";

/** `atStart`, `atEnd`: it matches only there. */
export type PlainRegex = { readonly pattern: string; readonly atStart: boolean; readonly atEnd: boolean };

/** Null for what is not plain: groups, alternatives, repetition of anything but a dot. */
export function plainRegex(source: string, extended = false): PlainRegex | null {
  const atStart = source.startsWith("^");
  const atEnd = source.endsWith("$") && !source.endsWith("\\$");
  const body = source.slice(atStart ? 1 : 0, atEnd ? -1 : undefined);
  let pattern = "";
  for (let at = 0; at < body.length; at += 1) {
    const char = body.charAt(at);
    if (char === "\\") {
      at += 1;
      const escaped = body.charAt(at);
      if (/[A-Za-z0-9<>]/.test(escaped) || (!extended && /[(){}|+?]/.test(escaped))) return null;
      pattern += escaped;
    } else if (char === ".") {
      const many = body.charAt(at + 1) === "*";
      pattern += many ? STAR : QUESTION;
      at += many ? 1 : 0;
    } else if (char === "[") {
      const close = body.indexOf("]", at + 2);
      if (close < 0) return null;
      pattern += `${SET_OPEN}${body.slice(at + 1, close)}${SET_CLOSE}`;
      at = close;
    } else if (char === "*" || (extended && /[(){}|+?]/.test(char))) return null;
    else pattern += char;
  }
  return { pattern, atStart, atEnd };
}
