// What a version can read of a journal, as a number (D-329). Servers of two versions share a database while they are upgraded one after the
// other: a task carries the highest level that was written to its journal, and only a server that can read that works on it.
import type { EventKind, NewEvent } from "./journal.ts";

/** Of the kinds of events that the first version knew which shared a database with others. There were as many. */
export const FIRST_LEVEL = 52;

/**
 * The level of each later kind, one more than the highest before. So is that of a change which a version before does not read, such as
 * a new field of a known kind or a new reason for an end.
 */
const LEVELS: Partial<Record<EventKind, number>> = {
  late_result: 53,
  restored: 54,
  schedule_restored: 55,
  anchored: 56,
  trace_joined: 57,
};

/** Of a step that says that it is idempotent, and of the result of a call that was never sent. */
const REPEATS_LEVEL = 58;

export const JOURNAL_LEVEL = Math.max(FIRST_LEVEL, REPEATS_LEVEL, ...Object.values(LEVELS));

/** The level of these events; null where every version that shares a database can read them. */
export function levelOf(events: readonly NewEvent[]): number | null {
  let highest: number | null = null;
  for (const event of events) {
    const level = LEVELS[event.kind] ?? (saysOfRepeats(event) ? REPEATS_LEVEL : undefined);
    if (level !== undefined) highest = Math.max(highest ?? 0, level);
  }
  return highest;
}

function saysOfRepeats(event: NewEvent): boolean {
  if (event.kind === "step_finished") return event.body.never_sent === true;
  if (event.kind !== "sop_pinned" && event.kind !== "taught") return false;
  return event.body.steps.some((step) => "idempotent" in step);
}

/** `needs_level` of a task: what its journal has. */
export const canRead = (level: number | null, needs_level: number | null): boolean =>
  needs_level === null || (level !== null && needs_level <= level);

type Live = { readonly journal_level: number | null; readonly draining: boolean };

/** The level that a task needs, where no server can read its journal that takes tasks; else null. */
export function levelWithoutServer(live: readonly Live[], needs_level: number | null): number | null {
  const isRead = live.some(({ journal_level, draining }) => !draining && canRead(journal_level, needs_level));
  return isRead ? null : needs_level;
}
