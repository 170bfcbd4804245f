// The one walk over the journal of a bundle: each entry is judged by those before it, and the rest of the checks reads what
// the walk leaves.
import type { TaskContract } from "../../domain/contract.ts";
import type { JournalEvent } from "../../domain/journal.ts";
import { hasEnded, type Outcome, type TaskStatus } from "../../domain/outcome.ts";
import { runsOnOf } from "../../tasks/plan.ts";
import { evolve, initial, type Projection } from "../../tasks/projection.ts";
import { callFault } from "./agent.ts";
import { lateFault } from "./late-results.ts";
import { createOrderCheck } from "./order.ts";
import { repeatFault } from "./repeats.ts";
import { type StartFault, startFaults } from "./starts.ts";

type EventOf<K extends JournalEvent["kind"]> = Extract<JournalEvent, { kind: K }>;
export type RequestEvent = EventOf<"approval_requested">;
export type DecisionEvent = EventOf<"approval_decided">;

type TrialFailure = EventOf<"sop_trial_failed">;

export type JournalWalk = {
  readonly state: Projection;
  readonly requests: readonly RequestEvent[];
  readonly decisions: readonly DecisionEvent[];
  /** What became of stored versions. */
  readonly versions: readonly (EventOf<"sop_changed"> | TrialFailure)[];
  readonly trial_failures: readonly TrialFailure[];
  readonly verification: EventOf<"verification_recorded"> | null;
  /** The task after the last event that moved it: an answer lets it run again, a report pauses or ends it. */
  readonly current: { readonly status: TaskStatus; readonly outcome: Outcome | null };
  readonly has_end: boolean;
  /** The number of the first entry that cannot follow the end. */
  readonly late: number | null;
  readonly order_faults: readonly string[];
  readonly call_faults: readonly string[];
  readonly start_faults: readonly StartFault[];
};

type Walking = {
  -readonly [K in keyof JournalWalk]: JournalWalk[K] extends readonly (infer V)[] ? V[] : JournalWalk[K];
};

export function walk(journal: readonly JournalEvent[], contract: TaskContract): JournalWalk {
  const state = initial();
  const orderFaults = createOrderCheck();
  const walked: Walking = {
    state,
    requests: [],
    decisions: [],
    versions: [],
    trial_failures: [],
    verification: null,
    has_end: false,
    late: null,
    current: { status: "accepted", outcome: null },
    order_faults: [],
    call_faults: [],
    start_faults: [],
  };
  for (const [position, event] of journal.entries()) {
    walked.order_faults.push(...orderFaults(event));
    walked.start_faults.push(...startFaults(event, contract, state));
    const repeated = repeatFault(event, state);
    const late = lateFault(event, state);
    if (late !== null) walked.order_faults.push(late);
    if (repeated !== null) walked.start_faults.push({ rule: "once", fault: `journal entry ${event.seq} ${repeated}.` });
    const fault = callFault(event, { contract, ...runsOnOf(state), findings: state.findings }, state.agent);
    if (fault !== null) walked.call_faults.push(`journal entry ${event.seq} ${fault}.`);
    if (walked.has_end && !AFTER_THE_END.has(event.kind)) walked.late ??= position + 1;
    note(walked, event);
    evolve(state, event);
  }
  return walked;
}

function note(walked: Walking, event: JournalEvent): void {
  if (MOVES.has(event.kind)) walked.current = { status: "running", outcome: null };
  switch (event.kind) {
    case "approval_requested":
      walked.requests.push(event);
      break;
    case "approval_decided":
      walked.decisions.push(event);
      break;
    case "sop_changed":
      walked.versions.push(event);
      break;
    case "sop_trial_failed":
      walked.versions.push(event);
      walked.trial_failures.push(event);
      break;
    case "verification_recorded":
      walked.verification = event;
      break;
    case "reported":
      walked.current = { status: event.body.status, outcome: event.body };
      walked.has_end ||= hasEnded(event.body.status);
      break;
  }
}

const MOVES: ReadonlySet<JournalEvent["kind"]> = new Set([
  "taken_up",
  "taught",
  "approval_decided",
  "step_resolved",
  "step_reconciled",
  "unparked",
]);

/** What may still be recorded once a task has ended: a cancellation that came too late, and the check from outside. */
const AFTER_THE_END: ReadonlySet<JournalEvent["kind"]> = new Set([
  "cancel_requested",
  "verification_recorded",
  "verification_missed",
]);
