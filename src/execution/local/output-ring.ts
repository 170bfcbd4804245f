// Keeps the first and last 32 KiB of an output stream and its length, in constant memory, and 16 KiB more on both sides of
// the gap for redaction (D-064). The text is decoded when it is read, so that a character split between two chunks stays
// whole.
import type { CutOutput } from "../../redact/find-secrets.ts";

const SHOWN = 32 * 1024;
/** Longer than a secret in any encoding. */
const MARGIN = 16 * 1024;
const KEPT = SHOWN + MARGIN;

/** `text` is valid UTF-8 without NUL; `bytes` is the length of the original; `beyond` exists when it was truncated. */
export type StreamOutput = CutOutput;

export type OutputRing = {
  readonly push: (chunk: Buffer) => void;
  readonly read: () => StreamOutput;
  /** How many bytes the stream has so far. */
  readonly bytes: () => number;
  /** A copy of the bytes from this position on, as far as they are kept. */
  readonly since: (position: number) => { readonly at: number; readonly bytes: Buffer };
};

export function createOutputRing(): OutputRing {
  // The first half is the head, the second a ring in which byte n of the stream has the position n modulo KEPT.
  let store: Buffer | undefined;
  let bytes = 0;

  const push = (chunk: Buffer): void => {
    store ??= Buffer.allocUnsafe(2 * KEPT);
    const toHead = Math.min(chunk.length, Math.max(0, KEPT - bytes));
    chunk.copy(store, bytes, 0, toHead);
    const from = Math.max(toHead, chunk.length - KEPT);
    const place = (bytes + from) % KEPT;
    const turn = Math.min(chunk.length, from + KEPT - place);
    chunk.copy(store, KEPT + place, from, turn);
    chunk.copy(store, KEPT, turn);
    bytes += chunk.length;
  };

  const read = (): StreamOutput => {
    if (store === undefined) return { text: "", bytes, truncated: false };
    if (bytes <= 2 * SHOWN) return { text: decode(store.subarray(0, bytes)), bytes, truncated: false };
    const oldest = KEPT + (bytes % KEPT);
    const tail =
      bytes <= store.length
        ? store.subarray(bytes - KEPT, bytes)
        : Buffer.concat([store.subarray(oldest), store.subarray(KEPT, oldest)]);
    return { ...cut(store.subarray(0, KEPT), tail, bytes), bytes, truncated: true };
  };

  const since = (position: number) => {
    const at = Math.max(position, bytes - KEPT);
    if (store === undefined) return { at, bytes: Buffer.alloc(0) };
    const inRing = Math.max(at, KEPT);
    const place = KEPT + (inRing % KEPT);
    const end = place + Math.max(0, bytes - inRing);
    return {
      at,
      bytes: Buffer.concat([
        store.subarray(at, Math.min(bytes, KEPT)),
        store.subarray(place, Math.min(end, store.length)),
        store.subarray(KEPT, Math.max(KEPT, end - KEPT)),
      ]),
    };
  };

  return { push, read, bytes: () => bytes, since };
}

/** Moves both cuts away from the gap, to where no character is split. */
function cut(head: Buffer, tail: Buffer, bytes: number): Pick<StreamOutput, "text" | "beyond"> {
  const headEnd = [0, 1, 2, 3].map((back) => SHOWN - back).find((at) => beginsCharacter(head, at)) ?? SHOWN;
  const tailStart = [0, 1, 2, 3].map((on) => MARGIN + on).find((at) => beginsCharacter(tail, at)) ?? MARGIN;
  const gap = `\n[... ${bytes - headEnd - (KEPT - tailStart)} bytes left out ...]\n`;
  const shown = decode(head.subarray(0, headEnd)) + gap;
  const beyond = {
    start: shown.length - gap.length,
    end: shown.length,
    after_head: decode(head.subarray(headEnd)),
    before_tail: decode(tail.subarray(0, tailStart)),
  };
  return { text: shown + decode(tail.subarray(tailStart)), beyond };
}

const beginsCharacter = (text: Buffer, at: number): boolean => ((text[at] ?? 0) & 0xc0) !== 0x80;

/** PostgreSQL refuses NUL in text. */
const decode = (bytes: Buffer): string => bytes.toString("utf8").replaceAll("\0", "");
