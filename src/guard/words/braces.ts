// Brace expansion, which bash does on the source text of a word before anything else.

const MAX_WORDS = 64;

/**
 * `parts` are the raw pieces of one word in order; those marked `brace` are `{...}` groups. Returns the words the text
 * expands to, as source text to be parsed again, or null when there are more than can be looked at.
 */
export function expandBraces(parts: readonly { raw: string; brace: boolean }[]): readonly string[] | null {
  let words: readonly string[] = [""];
  for (const { raw, brace } of parts) {
    const choices = brace ? choicesOf(raw) : [raw];
    if (choices === null || words.length * choices.length > MAX_WORDS) return null;
    words = words.flatMap((word) => choices.map((choice) => word + choice));
  }
  return words;
}

function choicesOf(group: string): readonly string[] | null {
  const inner = group.slice(1, -1);
  const choices = splitTop(inner);
  return choices.length > 1 ? choices : sequence(inner);
}

/** Splits at commas that stand outside quotes, escapes and inner parentheses or braces. */
function splitTop(text: string): string[] {
  const choices: string[] = [];
  let depth = 0;
  let quote = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\" && quote !== "'") at += 1;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"' || char === "`") quote = char;
    else if (char === "{" || char === "(") depth += 1;
    else if (char === "}" || char === ")") depth -= 1;
    else if (char === "," && depth === 0) {
      choices.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...choices, text.slice(from)];
}

/** `1..5`, `a..e`, `0..10..2`. Anything else is kept as text. */
function sequence(inner: string): readonly string[] | null {
  const match = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(inner);
  const [, first = "", last = "", step = "1"] = match ?? [];
  if (match === null || /\d/.test(first) !== /\d/.test(last)) return [`\\{${inner}}`];
  const numeric = /\d/.test(first);
  const from = numeric ? Number(first) : first.charCodeAt(0);
  const to = numeric ? Number(last) : last.charCodeAt(0);
  const stride = Math.max(1, Math.abs(Number(step)));
  const count = Math.floor(Math.abs(to - from) / stride) + 1;
  if (count > MAX_WORDS) return null;
  const width = /^-?0\d|^-?0\d/.test(first) || /^-?0\d/.test(last) ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: count }, (_, n) => {
    const value = from + Math.sign(to - from) * n * stride;
    return numeric ? String(value).padStart(width, "0") : String.fromCharCode(value);
  });
}
