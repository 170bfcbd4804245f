// The one walk over the journal of a bundle: each entry is judged by those before it, and the rest of the checks reads what
// the walk leaves.
import { scopeOf, type TaskContract } from "../../../domain/contract.ts";
import type { EventBody, JournalEvent } from "../../../domain/journal.ts";
import { hasEnded, type Outcome, type TaskStatus } from "../../../domain/outcome.ts";
import { proofSummary } from "../../../domain/proof.ts";
import type { ReasonCode } from "../../../domain/reason-code.ts";
import { saysOf, settlementOf } from "../../../domain/reconcile.ts";
import { reconcileOf } from "../../../domain/step.ts";
import { pauses } from "../../../domain/step-run.ts";
import { RULES } from "../../../features/verify.ts";
import { permissionOf } from "../../policy/judge-plan.ts";
import { verdictOn } from "../../tasks/plan.ts";
import { evolve, initial, type Projection } from "../../tasks/projection.ts";
import { type Evidence, firstDifference } from "../bundle.ts";
import { type Fault, PROMISE_RULES } from "./rule.ts";

export type JournalWalk = {
  readonly state: Projection;
  /** The task after the last event that moved it: an answer lets it run again, a report pauses or ends it. */
  readonly current: { readonly status: TaskStatus; readonly outcome: Outcome | null };
  readonly has_end: boolean;
  /** The number of the first entry that cannot follow the end. */
  readonly late: number | null;
  /** Entries before what they have to follow. */
  readonly order_faults: readonly Fault[];
  readonly start_faults: readonly Fault[];
  /** By their rule, in the order of PROMISE_RULES. */
  readonly journal_faults: readonly Fault[];
  /** What the other fields of a bundle with this journal say wrongly. */
  readonly bundleFaults: (evidence: Evidence) => string[];
};

export function walk(events: readonly JournalEvent[], contract: TaskContract): JournalWalk {
  const state = initial();
  const inspections = RULES.map((rule) => rule(contract));
  const entry_faults: Fault[] = [];
  let current: JournalWalk["current"] = { status: "accepted", outcome: null };
  let has_end = false;
  let late: number | null = null;
  for (const [position, event] of events.entries()) {
    entry_faults.push(
      ...startFaults(event, contract, state),
      ...inspections.flatMap(({ entry }) => entry?.(event, state) ?? []),
    );
    if (has_end && !AFTER_THE_END.has(event.kind)) late ??= position + 1;
    if (MOVES.has(event.kind)) current = { status: "running", outcome: null };
    if (event.kind === "reported") {
      current = { status: event.body.status, outcome: event.body };
      has_end ||= hasEnded(event.body.status);
    }
    evolve(state, event);
  }
  const journal_faults = [
    ...[...verdictFaults(state), ...outcomeFaults(state)].map((fault) => ({ rule: "verdict", fault }) as const),
    ...inspections.flatMap(({ journal }) => journal?.({ events, state }) ?? []),
  ];
  return {
    state,
    current,
    has_end,
    late,
    order_faults: entry_faults.filter(({ rule }) => rule === "approval"),
    start_faults: entry_faults.filter(({ rule }) => rule !== "approval"),
    journal_faults: PROMISE_RULES.flatMap((rule) => journal_faults.filter((fault) => fault.rule === rule)),
    bundleFaults: (evidence) => inspections.flatMap(({ bundle }) => bundle?.(evidence, { events, state }) ?? []),
  };
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

// Checks what a reconcile command is said to have settled (D-299): it has to follow from its exit code and from what the journal says
// of the server before. Whether a step may start again is judged with its start.

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

// Checks each start of a step by the entries before it: nothing runs twice without a licence [8.retry], outside of
// implicit_scope [3.rule.5], or although policy blocks it.

function startFaults(event: JournalEvent, contract: TaskContract, before: Projection): Fault[] {
  const repeated = repeatFault(event, before);
  if (repeated !== null) return [{ rule: "once", fault: `journal entry ${event.seq} ${repeated}.` }];
  if (event.kind !== "step_started") return [];
  const faults: (Fault | false)[] = [
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

/** An agent's calls are judged one by one, by the rule of agents. */
const isBlocked = ({ agent, findings }: Projection): boolean =>
  agent.turns.length === 0 && permissionOf(findings) === "deny";

const stepAt = ({ procedure, agent }: Projection, index: number) =>
  procedure?.steps[index] ?? agent.calls[index]?.step ?? undefined;

// Checks that what a task says of its checks follows from its verdict: that they passed, and what they are worth.

/** Of a task that no check makes DONE. */
const DONE_WITHOUT_CHECKS: ReadonlySet<ReasonCode> = new Set(["skill_done", "sop_replaced"]);

export function outcomeFaults({ reported, verdict }: Projection): string[] {
  if (reported === null) return [];
  const isDone = reported.status === "ok" && !DONE_WITHOUT_CHECKS.has(reported.reason_code);
  const follows = isDone
    ? verdict?.passed === true && verdict.reason_code === reported.reason_code
    : verdict?.reason_code !== "already_done";
  const path =
    reported.proof === undefined ? null : firstDifference(reported.proof, proofSummary(verdict?.checks ?? []));
  return [
    ...(follows ? [] : ["the outcome does not follow from the verdict: reason_code."]),
    ...(path === null ? [] : [`outcome.proof does not follow from the verdict: ${path || "it differs"}.`]),
  ];
}

// Checks that the verdict follows from the steps that ran: computes it again from the results and the looks.

function verdictFaults(state: Projection): string[] {
  const { accepted, procedure, verdict } = state;
  if (accepted === null || procedure === null || verdict === null) return [];
  const path = firstDifference(verdict, verdictOn(accepted.contract, state));
  return path === null ? [] : [`the verdict does not follow from the steps: ${path || "it differs"}.`];
}
