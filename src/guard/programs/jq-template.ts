// `jq -r '.[] | @sh "mv \\(.from) \\(.to)"'`: a text in which each value that is put in is quoted for a shell (D-242).
import { UNKNOWN } from "../words/symbols.ts";

const START = /(?:^|\|)\s*@sh\s*"/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", '"': '"', "\\": "\\", "/": "/" };
const MAX_LENGTH = 4_096;

/** Null where the filter does not end with one such text. */
export function quotedTemplate(filter: string): string | null {
  const start = START.exec(filter);
  // What is before it may be any filter, but no part of a string or of a comment.
  const before = filter.slice(0, start?.index).replace(/"(?:[^"\\]|\\.)*"/g, "");
  if (start === null || filter.length > MAX_LENGTH || /["#]/.test(before)) return null;
  let text = "";
  for (let at = start.index + start[0].length; at < filter.length; at += 1) {
    const char = filter.charAt(at);
    if (char === '"') return filter.slice(at + 1).trim() === "" ? text : null;
    if (char !== "\\") text += char;
    else if (filter.charAt(at + 1) === "(") {
      at = endOfValue(filter, at + 2);
      text += `'${UNKNOWN}'`;
    } else {
      at += 1;
      const escaped = ESCAPES[filter.charAt(at)];
      if (escaped === undefined) return null;
      text += escaped;
    }
  }
  return null;
}

/** Where the parenthesis of a value closes. */
function endOfValue(filter: string, from: number): number {
  let depth = 1;
  for (let at = from; at < filter.length; at += 1) {
    const char = filter.charAt(at);
    // A string within it may hold parentheses, so the whole is not followed.
    if (char === '"' || char === "#") return filter.length;
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return filter.length;
}
