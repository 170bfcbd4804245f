// How deep a text nests, measured before it is parsed, in one pass over its characters.

/**
 * The path at which JSON first nests deeper than `max_depth`, as in `payload.steps.0`, with keys as written in the text;
 * null when it does not. For a text that is not JSON the result is arbitrary: the parser refuses the text.
 */
export function tooDeepAt(text: string, max_depth: number): string | null {
  // The current position in each open array (its index) and object (its key).
  const path: (number | string)[] = [];
  let last = "";
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at + 1);
        last = text.slice(at + 1, end);
        at = end;
        break;
      }
      case ":":
        if (typeof path.at(-1) === "string") path[path.length - 1] = last;
        break;
      case ",": {
        const held = path.at(-1);
        if (typeof held === "number") path[path.length - 1] = held + 1;
        break;
      }
      case "[":
      case "{":
        if (path.length >= max_depth) return path.join(".");
        path.push(text[at] === "[" ? 0 : "");
        break;
      case "]":
      case "}":
        path.pop();
        break;
    }
  }
  return null;
}

/** Where the string that begins at `start` is closed: at a quote with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (first > start && text[first - 1] === "\\") first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}
