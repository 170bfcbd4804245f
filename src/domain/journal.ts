// Defines the append-only record of a thread: a task, a promotion, or a record of a feature. It is a hash chain [1.A.5.evidence] and the
// authority on side effects, approvals, gate answers and status changes. A graph that starts again reads it, and therefore does nothing
// twice.
import { z } from "zod";
import { AGENT_EVENTS, FEATURE_EVENTS, JOB_EVENTS, LATER_EVENTS, SKILL_EVENTS } from "../features/records.ts";
import { ENGINE_EVENTS } from "./engine-events.ts";
import type { EventDefinition } from "./event.ts";
import { sha256 } from "./json.ts";
import { canonicalJson } from "./json-values.ts";
import { hasEnded } from "./outcome.ts";

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
