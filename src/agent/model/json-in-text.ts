// Finds a JSON object or array in what a model has written (spec section 1, agent backends). Every character is looked at once:
// a caller goes on where the reading ended, so that no text takes more than linear time. Line breaks and tabs within strings are
// taken for what they are, since models that write a script into an argument forget to escape them.
import { type Json, MAX_DEPTH } from "../../domain/json.ts";

/** `value` is undefined for what is no JSON or is cut off; `end` is how far it was read. */
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
    if (depth <= 0) return { value: parsed(json), end: at + 1 };
    if (depth > MAX_DEPTH) return { value: undefined, end: at };
  }
  return { value: undefined, end: text.length };
}

/** Where its closing quote stands, or what must not stand in a string. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "\\") at += 1;
    else if (character === '"' || (character < " " && !BREAK.test(character))) return at;
  }
  return text.length;
}

const BREAK = /[\n\r\t]/;

/** A backslash before a line break is meant as one. */
const escaped = (string: string): string =>
  string.replace(/\\.|[\n\r\t]/gs, (found) => (BREAK.test(found) ? JSON.stringify(found).slice(1, -1) : found));

function parsed(json: string): Json | undefined {
  try {
    return JSON.parse(json) as Json;
  } catch {
    return undefined;
  }
}
