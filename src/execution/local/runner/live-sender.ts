// Sends what a command writes while somebody watches it (D-196): at most twice a second, and of fast output the last part
// only. The output ring keeps the bytes in any case, so that a watch costs no memory.
import type { RunningOutput } from "../run-command.ts";

const LOOK_MS = 100;
const BETWEEN_MS = 500;
const QUIET_MS = 300;
const MAX_PIECE = 16 * 1024;

/**
 * `bytes` is base64, at most 16 KiB of the stream; `quiet` when nothing followed them for 300 ms; `first` of the stream in this
 * watch.
 */
export type LiveBytes = {
  readonly stream: keyof RunningOutput;
  readonly first: boolean;
  readonly at: number;
  readonly bytes: string;
  readonly quiet: boolean;
};

/** Resolves once the pieces are written to the channel: no more are sent before. */
type Send = (pieces: readonly LiveBytes[]) => Promise<void>;

/** Returns the function that ends it. */
export function sendLive(output: RunningOutput, send: Send, now: () => number = () => performance.now()): () => void {
  const streams = [follow("stdout", output), follow("stderr", output)];
  let sent_at = Number.NEGATIVE_INFINITY;
  let isSending = false;
  const look = () => {
    const at = now();
    for (const stream of streams) stream.look(at);
    if (isSending || at - sent_at < BETWEEN_MS) return;
    const pieces = streams.flatMap((stream) => stream.take(at));
    if (pieces.length === 0) return;
    sent_at = at;
    isSending = true;
    void send(pieces).finally(() => (isSending = false));
  };
  const timer = setInterval(look, LOOK_MS).unref();
  look();
  return () => clearInterval(timer);
}

function follow(stream: keyof RunningOutput, { [stream]: ring }: RunningOutput) {
  let isFirst = true;
  let sent = 0;
  let seen = 0;
  let changed_at = Number.NEGATIVE_INFINITY;
  let saidQuiet = true;
  const look = (now: number) => {
    if (ring.bytes() === seen) return;
    seen = ring.bytes();
    changed_at = now;
  };
  const take = (now: number): LiveBytes[] => {
    const quiet = now - changed_at >= QUIET_MS;
    if (sent === seen && (saidQuiet || !quiet)) return [];
    const { at, bytes } = ring.since(sent);
    const begins = isFirst;
    isFirst = false;
    sent = at + bytes.length;
    saidQuiet = quiet;
    const starts = Array.from({ length: Math.max(1, Math.ceil(bytes.length / MAX_PIECE)) }, (_, n) => n * MAX_PIECE);
    return starts.map((from) => {
      const part = bytes.subarray(from, from + MAX_PIECE);
      const isLast = from + part.length === bytes.length;
      const first = begins && from === 0;
      return { stream, first, at: at + from, bytes: part.toString("base64"), quiet: quiet && isLast };
    });
  };
  return { look, take };
}
