// What is kept of one output stream: its first and last 32 KiB and its length, in constant memory however much is written
// (design: step result). Decoded when it is read, so that a character split between two chunks stays whole.

const HALF = 32 * 1024;

/** `text` is valid UTF-8 without NUL; `bytes` counts what was written, kept or not. */
export type Output = { readonly text: string; readonly bytes: number; readonly truncated: boolean };

export type OutputRing = {
  readonly push: (chunk: Buffer) => void;
  readonly read: () => Output;
};

export function createOutputRing(): OutputRing {
  // The first half is the head, the second a ring in which byte n of the stream has the place n modulo HALF.
  let store: Buffer | undefined;
  let bytes = 0;

  const push = (chunk: Buffer): void => {
    store ??= Buffer.allocUnsafe(2 * HALF);
    const toHead = Math.min(chunk.length, Math.max(0, HALF - bytes));
    chunk.copy(store, bytes, 0, toHead);
    const from = Math.max(toHead, chunk.length - HALF);
    const place = (bytes + from) % HALF;
    const turn = Math.min(chunk.length, from + HALF - place);
    chunk.copy(store, HALF + place, from, turn);
    chunk.copy(store, HALF, turn);
    bytes += chunk.length;
  };

  const read = (): Output => {
    if (store === undefined) return { text: "", bytes, truncated: false };
    if (bytes <= store.length) return { text: decode(store.subarray(0, bytes)), bytes, truncated: false };
    const oldest = HALF + (bytes % HALF);
    const tail = Buffer.concat([store.subarray(oldest), store.subarray(HALF, oldest)]);
    const gap = `\n[... ${bytes - store.length} bytes left out ...]\n`;
    return { text: decode(store.subarray(0, HALF)) + gap + decode(tail), bytes, truncated: true };
  };

  return { push, read };
}

/** PostgreSQL takes no NUL in text. */
const decode = (bytes: Buffer): string => bytes.toString("utf8").replaceAll("\0", "");
