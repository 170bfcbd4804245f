// The roots of days as the thread of the anchors has them (D-372).
import type { EventBody } from "../domain/journal.ts";
import { ANCHOR_THREAD } from "../domain/thread-id.ts";
import type { Store } from "../ports.ts";

export type Anchored = EventBody<"anchored">;

/** Oldest first. */
export async function anchorsIn(store: Pick<Store, "readJournal">): Promise<Anchored[]> {
  const journal = await store.readJournal(ANCHOR_THREAD);
  return journal.flatMap((event) => (event.kind === "anchored" ? [event.body] : []));
}
