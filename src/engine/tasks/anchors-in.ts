// The roots of days and the restores, as the thread of the anchors has them (D-372).
import type { Restore } from "../../domain/anchor.ts";
import { isUnreadable } from "../../domain/errors.ts";
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import { ANCHOR_THREAD } from "../../domain/thread-id.ts";
import type { Store } from "../../ports.ts";

export type KeptRoots = {
  /** Oldest first. */
  readonly anchors: readonly EventBody<"anchored">[];
  /** When the database went on from a backup, oldest first. */
  readonly restores: readonly Restore[];
};

const NONE: KeptRoots = { anchors: [], restores: [] };

const withEvents = ({ anchors, restores }: KeptRoots, journal: readonly JournalEvent[]): KeptRoots => ({
  anchors: [...anchors, ...journal.flatMap((event) => (event.kind === "anchored" ? [event.body] : []))],
  restores: [
    ...restores,
    ...journal.flatMap((event) =>
      event.kind === "restored" ? [{ restored_at: event.at, taken_at: event.body.taken_at }] : [],
    ),
  ],
});

export const keptRoots = async (store: Pick<Store, "readJournal">): Promise<KeptRoots> =>
  withEvents(NONE, await store.readJournal(ANCHOR_THREAD));

const WHOLE = 2 ** 31 - 1;

/** For answers to other questions: reads only what is new, and of a thread that is damaged what could be read before. */
export function createRootReader(store: Pick<Store, "readJournal">): () => Promise<KeptRoots> {
  let last = { seq: 0, roots: NONE };
  return async () => {
    const { seq, roots } = last;
    const added = await store.readJournal(ANCHOR_THREAD, { after: seq, limit: WHOLE }).catch((error: unknown) => {
      if (isUnreadable(error)) return [];
      throw error;
    });
    // Another call may have read further meanwhile.
    if (added.length > 0 && seq === last.seq) last = { seq: added.at(-1)?.seq ?? seq, roots: withEvents(roots, added) };
    return last.roots;
  };
}
