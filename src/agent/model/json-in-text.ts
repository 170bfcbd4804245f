// Reads a JSON object or array in a model's text (D-142). A caller continues where the reading ended, so every
// character is read once and the work is linear. Unescaped line breaks and tabs in strings are accepted, because models
// that write a script into an argument forget to escape them.
import { type Json, MAX_DEPTH } from "../../domain/json.ts";
import { parseStrictJson } from "../../domain/json-text.ts";

/** `value` is undefined when the text is not JSON, has a field twice, or is cut off. `end` is the position where reading ended. */
type JsonRead = { readonly value: Json | undefined; readonly end: number };

const BETWEEN_STRINGS = /[\s\d,:.+\-truefalsnE]/;

export function jsonAt(text: string, start: number): JsonRead {
  let depth = 0;
  let json = "";
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === '"' && depth > 0) {
      const begun = at;
      at = endOfString(text, begun);
      if (text[at] !== '"') return { value: undefined, end: at };
      json += escaped(text.slice(begun, at + 1));
      continue;
    }
    if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    else if (!BETWEEN_STRINGS.test(character)) return { value: undefined, end: at };
    json += character;
    if (depth <= 0) return { value: parseStrictJson(json) as Json | undefined, end: at + 1 };
    if (depth > MAX_DEPTH) return { value: undefined, end: at };
  }
  return { value: undefined, end: text.length };
}

/** The position of the closing quote, or of a character that a string must not contain. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "\\") at += 1;
    else if (character === '"' || (character < " " && !BREAK.test(character))) return at;
  }
  return text.length;
}

const BREAK = /[\n\r\t]/;

/** A backslash before a line break is a literal backslash. */
const escaped = (string: string): string =>
  string.replace(/\\.|[\n\r\t]/gs, (match) => (BREAK.test(match) ? JSON.stringify(match).slice(1, -1) : match));
