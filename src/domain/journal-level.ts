// What a version can read of a journal, as a number (D-329). Servers of two versions share a database while they are upgraded one after the
// other: a task carries the highest level that was written to its journal, and only a server that can read that works on it.
import type { EventDefinition } from "./event.ts";
import { EVENTS, eventOf, type NewEvent } from "./journal.ts";
import { isPolled } from "./polling.ts";

/** Of the kinds of events that the first version knew which shared a database with others. There were as many. */
export const FIRST_LEVEL = 52;

/** The level of each later field, or value, of a known kind, chosen in the same way: a version before does not read it. */
const FIELD_LEVELS: readonly { readonly level: number; readonly isIn: (event: NewEvent) => boolean }[] = [
  { level: 58, isIn: saysOfRepeats },
  { level: 59, isIn: hasPolledCheck },
  { level: 62, isIn: namesOutside },
  { level: 63, isIn: ({ kind, body }) => kind === "step_finished" && body.left_processes !== undefined },
  { level: 65, isIn: namesUnreadList },
];

/** The level of each later kind, higher than all before. It never changes, and a number between may be of no kind: journals have it. */
const OF_KINDS = Object.values(EVENTS).flatMap(({ level }: EventDefinition) => level ?? []);

export const JOURNAL_LEVEL = Math.max(FIRST_LEVEL, ...OF_KINDS, ...FIELD_LEVELS.map(({ level }) => level));

/** The level of these events; null where every version that shares a database can read them. */
export function levelOf(events: readonly NewEvent[]): number | null {
  const levels = events.flatMap((event) => [
    ...[eventOf(event.kind)?.level ?? []].flat(),
    ...FIELD_LEVELS.filter(({ isIn }) => isIn(event)).map(({ level }) => level),
  ]);
  return levels.length === 0 ? null : Math.max(...levels);
}

/** A check that is polled, in the steps of a procedure or in its result. */
function hasPolledCheck({ kind, body }: NewEvent): boolean {
  if (kind === "step_finished") return body.tries !== undefined;
  if (kind === "sop_pinned" || kind === "taught") return body.steps.some(isPolled);
  return false;
}

/** A judgement that names the tools of servers, what has changed since a promotion, or what runs later. */
function namesOutside({ kind, body }: NewEvent): boolean {
  if (kind !== "policy_judged" && kind !== "agent_call_judged") return false;
  const isNew = body.findings.some(({ code }) => code === "safety.not_as_promoted" || code === "agent.runs_later");
  return isNew || body.tools !== undefined;
}

/** A judgement, or a report, that blocks because the list of a tool server could not be read. */
function namesUnreadList({ kind, body }: NewEvent): boolean {
  if (kind === "reported") return body.reason_code === "tool_list_unread";
  return kind === "policy_judged" && body.findings.some(({ code }) => code === "tool.list_unread");
}

/** A step that says that it is idempotent, or the result of a call that was never sent. */
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
