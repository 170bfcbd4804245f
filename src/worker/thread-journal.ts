// The journal as the owner of a thread sees it: known events in memory, one commit per step, and a fence. Whoever else
// writes to the thread (a decision, a cancellation) moves the tail; the owner reads on and places its events behind. When
// the one who wrote is another owner, this one has lost the thread and must stop before its next effect.
import { OrchError } from "../domain/errors.ts";
import type { JournalEvent, NewEvent } from "../domain/journal.ts";
import type { Change, Clock, Store, ThreadJournal } from "../ports.ts";

type Deps = { readonly store: Store; readonly clock: Clock; readonly owner: string };

export function createThreadJournal(
  { store, clock, owner }: Deps,
  thread_id: string,
  known: readonly JournalEvent[],
): ThreadJournal {
  let committed = [...known];
  let noted: NewEvent[] = [];
  let events: readonly JournalEvent[] = committed;

  /** Noted events take their place in the chain with the next commit; until then they are only shown. */
  const provisional = (event: NewEvent, place: number): JournalEvent =>
    ({
      ...event,
      thread_id,
      seq: committed.length + place + 1,
      at: clock().toISOString(),
      prev_hash: "",
      hash: "",
    }) as JournalEvent;

  const readOn = async () => {
    const all = await store.readJournal(thread_id);
    const rival = all.slice(committed.length).find((event) => event.kind === "taken_up" && event.body.owner !== owner);
    if (rival !== undefined) throw new OrchError("fenced", `thread ${thread_id} has been taken up by another server`);
    committed = all;
  };

  const tryCommit = async (added: readonly NewEvent[], changes: readonly Change[]): Promise<Change | null> => {
    const batch = [...noted, ...added];
    if (batch.length === 0 && changes.length === 0) return null;
    for (;;) {
      const result = await store.commit({ thread_id, after: committed.at(-1) ?? null, events: batch, changes });
      if (result.ok) {
        committed.push(...result.events);
        noted = [];
        events = committed;
        return null;
      }
      if (result.conflict !== "journal") return result.conflict;
      await readOn();
    }
  };

  return {
    get events() {
      return events;
    },
    note: (event) => {
      events = [...events, provisional(event, noted.length)];
      noted.push(event);
    },
    tryCommit,
    commit: async (added, changes = []) => {
      const conflict = await tryCommit(added, changes);
      if (conflict !== null) {
        throw new OrchError("internal_error", `a change of ${conflict.on} did not hold on thread ${thread_id}`);
      }
    },
  };
}
