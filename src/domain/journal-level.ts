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

/** Judgements that name the tools of servers, or what has changed since a promotion. */
const OUTSIDE = 62;

export const JOURNAL_LEVEL = Math.max(FIRST_LEVEL, OUTSIDE, ...Object.values(LEVELS));

/** The level of these events; null where every version that shares a database can read them. */
export function levelOf(events: readonly NewEvent[]): number | null {
  let highest: number | null = null;
  for (const event of events) {
    const level = LEVELS[event.kind] ?? levelOfBody(event);
    if (level !== null) highest = Math.max(highest ?? 0, level);
  }
  return highest;
}

function levelOfBody({ kind, body }: NewEvent): number | null {
  if (kind !== "policy_judged" && kind !== "agent_call_judged") return null;
  const isNew = body.findings.some(({ code }) => code === "safety.not_as_promoted" || code === "agent.runs_later");
  return isNew || body.tools !== undefined ? OUTSIDE : null;
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
