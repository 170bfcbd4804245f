// The one walk over the journal of a bundle: each entry is judged by those before it, and the rest of the checks reads what
// the walk leaves.
import { scopeOf, type TaskContract } from "../../domain/contract.ts";
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import { hasEnded, type Outcome, type TaskStatus } from "../../domain/outcome.ts";
import { pauses } from "../../domain/polling.ts";
import { saysOf, settlementOf } from "../../domain/reconcile.ts";
import { reconcileOf } from "../../domain/step.ts";
import { permissionOf } from "../../policy/judge-plan.ts";
import { runsOnOf } from "../../tasks/plan.ts";
import { takesLateResult } from "../../tasks/progress.ts";
import { evolve, initial, type Projection } from "../../tasks/projection.ts";
import { callFault } from "./agent.ts";

type EventOf<K extends JournalEvent["kind"]> = Extract<JournalEvent, { kind: K }>;
export type RequestEvent = EventOf<"approval_requested">;
export type DecisionEvent = EventOf<"approval_decided">;

type TrialFailure = EventOf<"sop_trial_failed">;

export type JournalWalk = {
  readonly state: Projection;
  readonly requests: readonly RequestEvent[];
  readonly decisions: readonly DecisionEvent[];
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

// Checks that a late result is one of a step that its server had started and whose outcome was not known (D-330).

/** Null for an entry that is in order. */
export const lateFault = (event: JournalEvent, before: Projection): string | null =>
  event.kind !== "late_result" || takesLateResult(before, event.body)
    ? null
    : `journal entry ${event.seq} reports a late result of a step that its server had not started, or whose outcome was known.`;

// Checks what a reconcile command is said to have settled (D-299): it has to follow from its exit code and from what the journal says
// of the server before. Whether a step may start again, `starts.ts` judges.

/** What is wrong with an entry, after the entries `before` it; null when it follows from them. */
export function repeatFault(
  { kind, body }: JournalEvent,
  { steps: { records }, procedure }: Projection,
): string | null {
  if (kind !== "step_reconciled") return null;
  const record = records.get(body.index);
  const step = procedure?.steps[body.index];
  const isUnknown = record?.state === "started" || record?.state === "unknown";
  if (record === undefined || !isUnknown || record.attempt !== body.attempt || record.reconciled !== null)
    return "reconciles a step whose outcome is not unknown";
  if (reconcileOf(step) === undefined) return "reconciles a step that has no reconcile command";
  const mustDoubt = step?.kind === "mcp_call" || record.doubtful;
  if (mustDoubt && body.may_run === null) return "says that nothing of a step can run, and that is not certain";
  const says = saysOf(body);
  const follows = body.says === says && body.settles === settlementOf({ ...body, says }, record.repeats);
  return follows ? null : "settles a step in a way that does not follow from the exit code of its reconcile command";
}

// Checks the order of a journal: a step that needs an approval starts after it, and a decision follows its request
// [5.policy.approval].

/** The returned function takes the events of a journal in their order, and returns the faults of each. */
export function createOrderCheck(): (event: JournalEvent) => string[] {
  const asked = new Set<string>();
  const granted = new Set<string>();
  let needed: string | null = null;
  let isAgent = false;
  return (event) => {
    if (event.kind === "policy_judged" && asks(event.body)) needed ??= "";
    // agent.ts checks the calls of an agent, which are judged one by one.
    if (event.kind === "agent_replied") isAgent = true;
    if (event.kind === "approval_requested" && isAgent) asked.add(event.body.approval_id);
    else if (event.kind === "approval_requested") {
      needed = event.body.approval_id;
      asked.add(needed);
    }
    if (event.kind === "approval_decided") {
      const { approval_id, status } = event.body;
      if (status === "approved") granted.add(approval_id);
      else granted.delete(approval_id);
      if (!asked.has(approval_id))
        return [`journal entry ${event.seq} decides on an approval that was not requested before it.`];
      if (!isSound(event.body)) return [`journal entry ${event.seq} has a status that does not match its decision.`];
    }
    const runs = acts(event) && needed !== null && !granted.has(needed);
    return runs ? [`journal entry ${event.seq} starts a step without the approval that it needs.`] : [];
  };
}

const acts = (event: JournalEvent): boolean =>
  event.kind === "step_started" || (event.kind === "skill_step_started" && event.body.repeatable !== true);

const asks = ({ findings }: EventBody<"policy_judged">): boolean => findings.some(({ verdict }) => verdict === "ask");

const isSound = ({ status, decision }: EventBody<"approval_decided">): boolean =>
  (status === "approved") === (decision === "approve");

// Checks each start of a step by the entries before it: nothing runs twice without a licence [8.retry], outside of
// implicit_scope [3.rule.5], or although policy blocks it.

type StartFault = { readonly rule: "once" | "scope" | "blocked"; readonly fault: string };

function startFaults(event: JournalEvent, contract: TaskContract, before: Projection): StartFault[] {
  if (event.kind === "skill_step_started") {
    const has_passed = before.skill.steps[event.body.index]?.state === "passed";
    return has_passed
      ? [{ rule: "once", fault: `journal entry ${event.seq} starts a step again that had passed.` }]
      : [];
  }
  if (event.kind !== "step_started") return [];
  const faults: (StartFault | false)[] = [
    !isLicensed(event.body, before) && {
      rule: "once",
      fault: `journal entry ${event.seq} starts a step again without a licence to repeat it.`,
    },
    !isInScope(event.body, contract, before) && {
      rule: "scope",
      fault: `journal entry ${event.seq} calls a tool server outside of implicit_scope.`,
    },
    isBlocked(before) && { rule: "blocked", fault: `journal entry ${event.seq} starts a step that policy blocks.` },
  ];
  return faults.filter((fault) => fault !== false);
}

/** The first start; after a granted retry or a word of the supervisor; or of what was cut off and may run again. */
function isLicensed({ index, attempt, job }: EventBody<"step_started">, before: Projection): boolean {
  const record = before.steps.records.get(index);
  if (record === undefined || record.state === "again") return attempt === (record?.attempt ?? 0) + 1;
  if (record.state !== "started" || record.attempt !== attempt) return false;
  const kind = stepAt(before, index)?.kind;
  const is_same_job = job !== undefined && record.job?.job_id === job.job_id;
  return is_same_job || record.repeatable || kind === "check" || (kind !== undefined && pauses(kind));
}

function isInScope({ index }: EventBody<"step_started">, contract: TaskContract, before: Projection): boolean {
  const step = stepAt(before, index);
  return step?.kind !== "mcp_call" || scopeOf(contract).has(step.server.toLowerCase());
}

/** An agent's calls are judged one by one (agent.ts). */
const isBlocked = ({ agent, findings }: Projection): boolean =>
  agent.turns.length === 0 && permissionOf(findings) === "deny";

const stepAt = ({ procedure, agent }: Projection, index: number) =>
  procedure?.steps[index] ?? agent.calls[index]?.step ?? undefined;
