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
  /** How many of those that are open each closes, so that one that closes none costs no search. */
  const wanted = new Map<string, number>();
  const count = (closer: string, by: number) => wanted.set(closer, (wanted.get(closer) ?? 0) + by);
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const closer = PAIRS.get(sign);
    if (closer !== undefined) {
      open.push({ at, closer });
      count(closer, 1);
    }
    if (!CLOSERS.has(sign) || (wanted.get(sign) ?? 0) === 0) continue;
    const [opened, ...unclosed] = open.splice(open.findLastIndex((one) => one.closer === sign));
    if (opened === undefined) continue;
    for (const one of [opened, ...unclosed]) count(one.closer, -1);
    changes[opened.at + 1] = (changes[opened.at + 1] ?? 0) + 1;
    changes[at + 1] = (changes[at + 1] ?? 0) - 1;
  }
  let depth = 0;
  return changes.map((change) => {
    depth += change;
    return depth;
  });
}
