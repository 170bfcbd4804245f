// Matches a pattern at a position of a text (flag `y`), or from that position on (flag `g`).

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
