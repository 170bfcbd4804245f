// Keeps the beginning and the end of an output, in bounded memory. Both are longer than what is shown of them, so that a secret at
// the cut of what is shown is there as a whole.

const KEPT = 128 * 1024;

/** `head` is everything where nothing was left out. Without NUL, which no database of orch keeps as text. */
type KeptOutput = { readonly head: string; readonly tail: string; readonly left_out: number };

export function createKeptOutput(kept = KEPT) {
  const first: Buffer[] = [];
  let rest: Buffer[] = [];
  let [in_first, in_rest, bytes] = [0, 0, 0];

  const push = (chunk: Buffer): void => {
    bytes += chunk.length;
    const begin = chunk.subarray(0, kept - in_first);
    if (begin.length > 0) first.push(begin);
    in_first += begin.length;
    const more = chunk.subarray(begin.length);
    if (more.length > 0) rest.push(more);
    in_rest += more.length;
    // Now and then, so that many small chunks cost no more than a few large ones.
    if (in_rest > 2 * kept) {
      rest = [Buffer.concat(rest).subarray(-kept)];
      in_rest = kept;
    }
  };

  const read = (): KeptOutput => {
    const end = Buffer.concat(rest).subarray(-kept);
    const left_out = bytes - in_first - end.length;
    const text = (parts: readonly Buffer[]) => Buffer.concat(parts).toString("utf8").replaceAll("\0", "");
    return left_out === 0
      ? { head: text([...first, end]), tail: "", left_out }
      : { head: text(first), tail: text([end]), left_out };
  };

  return { push, read };
}
