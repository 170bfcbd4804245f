// Checks that a late result is one of a step that its server had started and whose outcome was not known (D-330).
import type { JournalEvent } from "../../domain/journal.ts";
import { takesLateResult } from "../../tasks/late-result.ts";
import type { Projection } from "../../tasks/projection.ts";

/** Null for an entry that is in order. */
export const lateFault = (event: JournalEvent, before: Projection): string | null =>
  event.kind !== "late_result" || takesLateResult(before, event.body)
    ? null
    : `journal entry ${event.seq} reports a late result of a step that its server had not started, or whose outcome was known.`;
