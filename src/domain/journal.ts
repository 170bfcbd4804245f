// Defines the append-only record of a thread: a task, a promotion, or a record of a feature. It is a hash chain [1.A.5.evidence] and the
// authority on side effects, approvals, gate answers and status changes. A graph that starts again reads it, and therefore does nothing
// twice. Says which versions of orch can read an event.
import { z } from "zod";
import { AGENT_EVENTS, FEATURE_EVENTS, JOB_EVENTS, LATER_EVENTS, SKILL_EVENTS } from "../features/records.ts";
import { ENGINE_EVENTS } from "./engine-events.ts";
import type { EventDefinition } from "./event.ts";
import { sha256 } from "./json.ts";
import { canonicalJson } from "./json-values.ts";
import { hasEnded } from "./outcome.ts";
import { isPolled } from "./step-run.ts";

/** Every kind of event, in the order that is published. */
export const EVENTS = {
  task_accepted: ENGINE_EVENTS.task_accepted,
  taken_up: ENGINE_EVENTS.taken_up,
  sop_pinned: FEATURE_EVENTS.sop_pinned,
  taught: FEATURE_EVENTS.taught,
  policy_judged: ENGINE_EVENTS.policy_judged,
  gate_answered: ENGINE_EVENTS.gate_answered,
  approval_requested: FEATURE_EVENTS.approval_requested,
  approval_decided: FEATURE_EVENTS.approval_decided,
  checks_looked_at: ENGINE_EVENTS.checks_looked_at,
  checks_examined: ENGINE_EVENTS.checks_examined,
  step_started: ENGINE_EVENTS.step_started,
  step_finished: ENGINE_EVENTS.step_finished,
  ...JOB_EVENTS,
  step_resolved: ENGINE_EVENTS.step_resolved,
  step_reconciled: ENGINE_EVENTS.step_reconciled,
  unparked: ENGINE_EVENTS.unparked,
  ...SKILL_EVENTS,
  ...AGENT_EVENTS,
  retry_granted: ENGINE_EVENTS.retry_granted,
  verdict_reached: ENGINE_EVENTS.verdict_reached,
  sop_changed: FEATURE_EVENTS.sop_changed,
  sop_examined: FEATURE_EVENTS.sop_examined,
  sop_trial_failed: FEATURE_EVENTS.sop_trial_failed,
  sop_set_back: FEATURE_EVENTS.sop_set_back,
  sop_failing: FEATURE_EVENTS.sop_failing,
  ...LATER_EVENTS,
  cancel_requested: ENGINE_EVENTS.cancel_requested,
  verification_recorded: FEATURE_EVENTS.verification_recorded,
  verification_missed: FEATURE_EVENTS.verification_missed,
  reported: ENGINE_EVENTS.reported,
} as const;

type Definitions = { readonly [kind: string]: EventDefinition };

const bodiesOf = <E extends Definitions>(events: E) =>
  Object.fromEntries(Object.entries(events).map(([kind, { body }]) => [kind, body])) as {
    readonly [K in keyof E]: E[K]["body"];
  };

/** The schema of the body of each kind. */
export const EVENT_BODIES = bodiesOf(EVENTS);

/** Undefined for a kind that this version does not know. */
export const eventOf = (kind: string): EventDefinition | undefined => BY_KIND.get(kind);

const BY_KIND: ReadonlyMap<string, EventDefinition> = new Map(Object.entries(EVENTS));

export type EventKind = keyof typeof EVENT_BODIES;
export type EventBody<K extends EventKind> = z.infer<(typeof EVENT_BODIES)[K]>;

export type NewEvent = { [K in EventKind]: { readonly kind: K; readonly body: EventBody<K> } }[EventKind];

type Unhashed = NewEvent & {
  readonly thread_id: string;
  readonly seq: number;
  readonly at: string;
  readonly prev_hash: string;
};

export type JournalEvent = Unhashed & { readonly hash: string };

export const EventRecord = z.strictObject({
  thread_id: z.string(),
  seq: z.int().min(1),
  kind: z.string(),
  body: z.unknown(),
  at: z.iso.datetime(),
  prev_hash: z.string(),
  hash: z.string(),
});

export const FIRST_HASH = "0".repeat(64);

/** True for an event that is sent to the supervisor. The other events are only recorded. */
export const isMessage = (kind: EventKind): boolean => kind === "reported" || eventOf(kind)?.message !== undefined;

/** What the scorecard counts changes with these. On PostgreSQL they are committed in the order of their cursors (D-050). */
export const SCORING_KINDS = ["reported", "verification_recorded"] as const satisfies readonly EventKind[];

export const changesScore = (kind: EventKind): boolean => SCORING_KINDS.some((scoring) => scoring === kind);

export const endsTask = (event: NewEvent): boolean => event.kind === "reported" && hasEnded(event.body.status);

export function lastOf<K extends EventKind>(events: readonly JournalEvent[], kind: K): EventBody<K> | null {
  const found = events.findLast((event): event is Extract<JournalEvent, { kind: K }> => event.kind === kind);
  // The body of an event of this kind, which the type of a generic union cannot say.
  return found === undefined ? null : (found.body as EventBody<K>);
}

/** SHA-256 of the canonical event, which contains the hash of the previous event. */
const hashOf = ({ body, ...place }: Unhashed): string => hashOfText(place, canonicalJson(body));

type Place = Pick<JournalEvent, "thread_id" | "seq" | "kind" | "at" | "prev_hash">;

/** The hash of an event whose body is canonical JSON already; the members are in their canonical order. */
export const hashOfText = ({ thread_id, seq, kind, at, prev_hash }: Place, body: string): string => {
  const [rest, start] = [canonicalJson({ kind, prev_hash, seq, thread_id }), canonicalJson({ at })];
  return sha256(`${start.slice(0, -1)},"body":${body},${rest.slice(1)}`);
};

/** The time of an event after another one: the clock of this server may be slower than that of the server that wrote it (D-328). */
export const timeAfter = (last: Pick<JournalEvent, "at"> | null | undefined, at: string): string =>
  last != null && last.at > at ? last.at : at;

/** Appends new events after `last`, each linked to the previous one, and none of them earlier. */
export function chain(
  thread_id: string,
  last: Pick<JournalEvent, "seq" | "hash" | "at"> | null,
  events: readonly NewEvent[],
  at: string,
): JournalEvent[] {
  let { seq, hash } = last ?? { seq: 0, hash: FIRST_HASH };
  const time = timeAfter(last, at);
  return events.map((event) => {
    const unhashed = { ...event, thread_id, seq: ++seq, at: time, prev_hash: hash } as Unhashed;
    hash = hashOf(unhashed);
    return { ...unhashed, hash } as JournalEvent;
  });
}

/** The sequence number of the first event that does not follow from the previous one; null when the chain is intact. */
export function brokenLink(events: readonly JournalEvent[]): number | null {
  let prev_hash = FIRST_HASH;
  for (const [position, event] of events.entries()) {
    if (event.seq !== position + 1 || event.prev_hash !== prev_hash || event.hash !== hashOf(event)) return event.seq;
    prev_hash = event.hash;
  }
  return null;
}

// What a version can read of a journal, as a number (D-329). Servers of two versions share a database while they are upgraded one after the
// other: a task carries the highest level that was written to its journal, and only a server that can read that works on it.

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
