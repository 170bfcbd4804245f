// The roots of days as the thread of the anchors has them (D-372).
import type { EventBody } from "../domain/journal.ts";
import { ANCHOR_THREAD } from "../domain/thread-id.ts";
import type { Store } from "../ports.ts";

export type Anchored = EventBody<"anchored">;

type Kept = {
  /** Oldest first. */
  readonly anchors: readonly Anchored[];
  /** When the database was last restored from a backup; null where it never was. */
  readonly restored_at: string | null;
};

export async function keptAnchors(store: Pick<Store, "readJournal">): Promise<Kept> {
  const journal = await store.readJournal(ANCHOR_THREAD);
  return {
    anchors: journal.flatMap((event) => (event.kind === "anchored" ? [event.body] : [])),
    restored_at: journal.findLast(({ kind }) => kind === "restored")?.at ?? null,
  };
}

/** Oldest first. */
export const anchorsIn = async (store: Pick<Store, "readJournal">): Promise<readonly Anchored[]> =>
  (await keptAnchors(store)).anchors;
