// Matches a pattern at one place of a text, or from there on: what `y` and `g` mean once `lastIndex` is set.

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
