// A store that holds one journal in memory, for tests of what a thread's owner does with it. Every event counts how often
// it is looked at.
import { chain, type JournalEvent } from "../../src/domain/journal.ts";
import type { CommitResult, Store } from "../../src/ports.ts";
import { AT } from "./builders.ts";

export function memoryJournal() {
  let events: JournalEvent[] = [];
  let looks = 0;
  const counting = (event: JournalEvent): JournalEvent =>
    new Proxy(event, {
      get: (target, key) => {
        if (key === "kind") looks += 1;
        return Reflect.get(target, key);
      },
    });
  const commit: Store["commit"] = async ({ thread_id, after, events: added }): Promise<CommitResult> => {
    const last = events.at(-1) ?? null;
    if (after !== "last" && after?.hash !== last?.hash) return { ok: false, conflict: "journal" };
    const written = chain(thread_id, last, added, AT).map(counting);
    events = [...events, ...written];
    return { ok: true, events: written };
  };
  const store = { commit, readJournal: async () => [...events] } as Partial<Store> as Store;
  return { store, looks: () => looks };
}
