// The last event of a kind.
import type { EventBody, EventKind, JournalEvent } from "../journal.ts";

export function lastOf<K extends EventKind>(events: readonly JournalEvent[], kind: K): EventBody<K> | null {
  const found = events.findLast((event): event is Extract<JournalEvent, { kind: K }> => event.kind === kind);
  // The body of an event of this kind, which the type of a generic union cannot say.
  return found === undefined ? null : (found.body as EventBody<K>);
}
