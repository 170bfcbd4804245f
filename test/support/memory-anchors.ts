// What the Store in memory keeps for anchors.
import type { KeptAnchors } from "../../src/domain/anchor.ts";
import type { ThreadEnd } from "../../src/domain/backup.ts";
import type { JournalEvent } from "../../src/domain/journal.ts";

type Kept = {
  /** Of all threads, in the order in which they were written. */
  readonly events: readonly JournalEvent[];
  readonly leaves: ReadonlyMap<string, readonly ThreadEnd[]>;
};

export const memoryAnchors = (kept: () => Kept): KeptAnchors => ({
  readGrowth: async (after, limit) =>
    kept()
      .events.map(({ thread_id, seq, hash, at }, nth) => ({ cursor: nth + 1, thread_id, seq, hash, at }))
      .slice(after, after + limit),
  readLeaves: async (day) => [...(kept().leaves.get(day) ?? [])],
  listAnchored: async (thread_id, limit) =>
    [...kept().leaves]
      .flatMap(([day, leaves]) =>
        leaves.filter((leaf) => leaf.thread_id === thread_id).map(({ seq, hash }) => ({ day, seq, hash })),
      )
      .sort((one, other) => (one.day > other.day ? -1 : 1))
      .slice(0, limit),
});
