// Literal text of a word in the source: removes backslashes, and finds what the parser is known to miss.
import { BRACE, SET_CLOSE, SET_OPEN } from "./symbols.ts";

/** Unquoted text. `braces`: whether bash would look for a brace expansion here; it does not in an assignment. */
export function unescaped(raw: string, braces: boolean): string {
  if (!/[\\{]/.test(raw)) return raw;
  let text = "";
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw.charAt(at);
    if (char === "\\") {
      at += 1;
      if (raw.charAt(at) !== "\n") text += raw.charAt(at);
    } else text += braces && char === "{" && /,|\.\./.test(raw.slice(at)) ? BRACE : char;
  }
  return text;
}

/** The body of a here-document whose delimiter is not quoted, where it holds no expansion. */
export const unescapedBody = (raw: string): string => raw.replace(/\\([$`\\])|\\\n/g, "$1");

/**
 * `echo 1<(cmd)` runs cmd, and the parser takes the word for a literal (its known defect). The text inside the
 * parentheses, or null.
 */
export function hiddenProcess(raw: string): string | null {
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw.charAt(at);
    if (char === "\\") at += 1;
    else if ((char === "<" || char === ">") && raw.charAt(at + 1) === "(") {
      const close = raw.lastIndexOf(")");
      return raw.slice(at + 2, close > at ? close : raw.length);
    }
  }
  return null;
}

/** `[a-z]` as the source spells it, quotes inside taken away. */
export const bracket = (raw: string): string => `${SET_OPEN}${raw.slice(1, -1).replace(/["'\\]/g, "")}${SET_CLOSE}`;
