// Events as rows of the journal.
import { EventRecord, isMessage, type JournalEvent } from "../domain/journal.ts";
import { rowOf } from "./columns.ts";

export type EventRow = ReturnType<typeof eventRow>;

export const eventRow = (event: JournalEvent) => ({ ...rowOf(EventRecord, event), message: isMessage(event.kind) });
