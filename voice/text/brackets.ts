// How deep each position of a text is within brackets and quotes. One that is never closed, or never opened, does not count.

const PAIRS: ReadonlyMap<string, string> = new Map(
  ["「」", "『』", "（）", "()", "【】", "〔〕", "［］", "[]", "｛｝", "{}", "〈〉", "《》", "“”", "‘’"].map((pair) => [
    pair.charAt(0),
    pair.charAt(1),
  ]),
);
const CLOSERS = new Set(PAIRS.values());

/** Of the boundary before each UTF-16 unit. */
export function bracketDepths(text: string): Int32Array {
  const changes = new Int32Array(text.length + 2);
  const open: { readonly at: number; readonly closer: string }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const closer = PAIRS.get(sign);
    if (closer !== undefined) open.push({ at, closer });
    if (!CLOSERS.has(sign)) continue;
    const match = open.findLastIndex((one) => one.closer === sign);
    const [opened] = match === -1 ? [] : open.splice(match);
    if (opened === undefined) continue;
    changes[opened.at + 1] = (changes[opened.at + 1] ?? 0) + 1;
    changes[at + 1] = (changes[at + 1] ?? 0) - 1;
  }
  let depth = 0;
  return changes.map((change) => {
    depth += change;
    return depth;
  });
}
