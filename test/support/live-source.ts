// What the steps of tasks write, as a test writes it.
import type { LiveOutput, LivePiece } from "../../src/domain/live-output.ts";
import { createLiveTails } from "../../src/domain/live-output.ts";

export type LiveSource = LiveOutput & {
  readonly write: (text: string, over?: Partial<LivePiece>) => void;
  /** How many readers there are. */
  readonly watching: () => number;
};

/** Of one task with any name. */
export function liveSource(): LiveSource {
  const tails = createLiveTails();
  const readers = new Set<() => void>();
  return {
    write: (text, over = {}) => {
      const piece: LivePiece = { index: 0, attempt: 1, stream: "stdout", missed_bytes: 0, text, ...over };
      tails.append(`${piece.index} ${piece.attempt}`, piece);
      for (const onMore of readers) onMore();
    },
    watching: () => readers.size,
    watch: (_task_id, onMore) => {
      const wake = () => onMore();
      readers.add(wake);
      return { read: tails.reader(), close: () => void readers.delete(wake) };
    },
  };
}
