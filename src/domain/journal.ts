// The append-only record of a task, as a hash chain [1.A.5.evidence]. It is the authority on side effects, approvals,
// gate answers and status changes. A graph that starts again reads it, and therefore does nothing twice.
import { z } from "zod";
import { AGENT_BODIES, eventOfFeature, FEATURE_BODIES, JOB_BODIES, SKILL_BODIES } from "../features/records.ts";
import { Decision } from "./approval.ts";
import { BackendName, TaskContract } from "./contract.ts";
import { Finding } from "./finding.ts";
import { Job } from "./job.ts";
import { JsonValue, sha256 } from "./json.ts";
import { canonicalJson } from "./json-values.ts";
import { Labels } from "./labels.ts";
import { hasEnded, Outcome } from "./outcome.ts";
import { BeforeLook, Examination } from "./proof.ts";
import { Reconciliation } from "./reconcile.ts";
import { BoundTool, Script } from "./script.ts";
import { SetBack } from "./set-back.ts";
import { CriterionCheck, SafetyLevel, SopLevel } from "./sop.ts";
import { SopProof } from "./sop-proof.ts";
import { StepResult, Steps } from "./step.ts";
import { Verdict } from "./verdict.ts";
import { VerificationMissed, VerificationRecorded } from "./verification.ts";

const StepAt = { index: z.int().min(0), attempt: z.int().min(1) };

/** The procedure that a task runs: a stored SOP, or the steps that the supervisor taught to this task. */
export const Procedure = z.strictObject({
  sop_id: z.string().nullable(),
  sop_version: z.int().nullable(),
  steps: Steps,
  criteria: z.array(CriterionCheck),
  safety_level: SafetyLevel,
  preconditions: z.array(z.string()),
  on_trial: z.literal(true).optional().describe("no run has proved it on this target, so its run asks for an approval"),
});
export type Procedure = z.infer<typeof Procedure>;

/** Every kind of event with the shape of its body. */
export const EVENT_BODIES = {
  task_accepted: z.strictObject({
    contract: TaskContract,
    contract_digest: z.string(),
    backend: BackendName.optional().describe("where its steps run"),
    runs_on: Labels.optional().describe("the labels that its server must have; absent where it runs anywhere"),
  }),
  taken_up: z.strictObject({
    owner: z.string(),
    recovery: z.boolean(),
    after: z.string().optional().describe("the fault that cut it off, where its server has not stopped"),
    crashed: z.literal(true).optional().describe("the server that worked on it ended without being stopped"),
    cleared: z.literal(true).optional().describe("nothing that the server before it has started runs any more"),
  }),
  sop_pinned: Procedure,
  taught: Procedure,
  policy_judged: z.strictObject({
    findings: z.array(Finding),
    scripts: z.array(Script).optional().describe("files that the steps run, which were judged with them"),
    tools: z.array(BoundTool).optional().describe("tools that the steps call, as their servers defined them"),
  }),
  gate_answered: z.strictObject({
    question: z.enum(["error", "approval"]),
    about: z.string().describe("the subject of the question; orch does not ask an identical question again"),
    answer: JsonValue,
    fallback: z.string().nullable(),
    model: z.string().nullable(),
    latency_ms: z.number(),
  }),
  approval_requested: z.strictObject({ approval_id: z.string(), kind: z.string(), digest: z.string() }),
  approval_decided: Decision.extend({ approval_id: z.string(), status: z.enum(["approved", "rejected", "expired"]) }),
  checks_looked_at: z.strictObject({
    looks: z.array(BeforeLook).describe("of checks on the real target, before the first step that changes something"),
  }),
  checks_examined: z.strictObject({
    checks: z.array(Examination.extend({ step_index: z.int().min(0) })),
  }),
  step_started: z.strictObject({
    ...StepAt,
    repeatable: z.literal(true).optional().describe("the tool server declares that a repeated call does no harm"),
    job: Job.optional().describe("the job that contains this step and the steps after it"),
  }),
  step_finished: StepResult,
  ...JOB_BODIES,
  step_resolved: z.strictObject({
    ...StepAt,
    resolution: z.enum(["succeeded", "failed", "retry"]),
    reason: z.string().nullable(),
  }),
  step_reconciled: Reconciliation.describe("what the reconcile command of the step says of its unknown outcome"),
  unparked: z.strictObject({ reason: z.string().nullable() }).describe("the supervisor lets a parked task go on"),
  ...SKILL_BODIES,
  ...AGENT_BODIES,
  retry_granted: z.strictObject({ index: z.int().min(0) }),
  verdict_reached: Verdict,
  sop_changed: z.strictObject({
    sop_id: z.string(),
    version: z.int(),
    status: z.string(),
    why: z.string(),
    level: SopLevel.optional(),
    trial_left: z.int().min(0).optional(),
  }),
  sop_examined: SopProof.describe("what a promotion or a replacement shows to the human"),
  sop_trial_failed: z
    .strictObject({
      sop_id: z.string(),
      version: z.int(),
      active_version: z.int().describe("the version before it, which is active again"),
      message: z.string(),
    })
    .describe("a message to the supervisor"),
  sop_set_back: z
    .strictObject({
      sop_id: z.string(),
      version: z.int(),
      approval_id: z.string(),
      set_back: SetBack,
      message: z.string(),
    })
    .describe("a message to the supervisor: the version is not in use any more, and asks for its approval"),
  sop_failing: z
    .strictObject({
      sop_id: z.string(),
      version: z.int(),
      rule: z.enum(["refuted", "failing", "streak"]),
      tasks: z.array(z.string()).describe("the runs that are the reason, newest first"),
      earlier: SetBack.shape.earlier,
      message: z.string(),
    })
    .describe("a message to the supervisor: the version fails, or was refuted, and stays in use"),
  ...FEATURE_BODIES,
  cancel_requested: z.strictObject({ reason: z.string().nullable() }),
  verification_recorded: VerificationRecorded,
  verification_missed: VerificationMissed,
  reported: Outcome,
} as const;

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
export const isMessage = (kind: EventKind): boolean =>
  MESSAGES.has(kind) || eventOfFeature(kind)?.message !== undefined;

const MESSAGES: ReadonlySet<EventKind> = new Set([
  "reported",
  "sop_trial_failed",
  "sop_set_back",
  "sop_failing",
  "verification_missed",
]);

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
