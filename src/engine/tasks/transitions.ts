// Decides what each moment of a task's life writes. These functions and those of answer-pause.ts, which sets a paused task to `running`
// again, write every status of a task, and nothing else does (test/unit/architecture/task-status.test.ts). Each takes the known state and
// returns what one commit writes, or a refusal. ARCHITECTURE.md, "Task status", has the whole table.
import type { Change } from "../../domain/change.ts";
import { contractDigest, isSameContract, signatureOf, type TaskContract } from "../../domain/contract.ts";
import { type ErrorCode, OrchError } from "../../domain/errors.ts";
import { type EventBody, JOURNAL_LEVEL, type NewEvent } from "../../domain/journal.ts";
import type { NextAction } from "../../domain/next-action.ts";
import { hasEnded, isPaused, type Outcome, outcome, outcomeOf } from "../../domain/outcome.ts";
import type { Procedure, Sop, SopLevel } from "../../domain/sop.ts";
import type { Task, Waiting } from "../../domain/task.ts";
import { hasTriedProcedure } from "../../domain/verification.ts";
import type { Commit } from "../../ports.ts";
import { type Moves, sopChanged } from "./sop-versions.ts";

/** What one commit writes. The writer adds the thread and its known tail. */
export type Transition = Required<Pick<Commit, "events" | "changes">>;

/** Why no transition follows, with the record as it is. */
export type TransitionRefusal = { readonly code: ErrorCode; readonly message: string; readonly current?: object };

export const isRefusal = (result: Transition | TransitionRefusal): result is TransitionRefusal => "code" in result;

export const refusalError = ({ code, message, current }: TransitionRefusal): OrchError =>
  new OrchError(code, message, { current });

type TaskChange = Extract<Change, { on: "task" }>;

type Acceptance = Pick<Task, "contract" | "backend"> & Partial<Pick<Task, "runs_on">> & { readonly at: string };

export function accept({ contract, backend, runs_on = null, at }: Acceptance): Transition & { readonly task: Task } {
  const task: Task = {
    task_id: contract.task_id,
    contract,
    contract_digest: contractDigest(contract),
    intent: contract.intent,
    target_signature: signatureOf(contract),
    delegation_mode: contract.delegation_mode,
    status: "accepted",
    outcome: null,
    waiting: null,
    sop_id: null,
    sop_version: null,
    backend,
    owner: null,
    lease_expires_at: null,
    verification: null,
    runs_on,
    needs_level: null,
    created_at: at,
    updated_at: at,
    ended_at: null,
  };
  const { contract_digest } = task;
  const body = { contract, contract_digest, backend, ...(runs_on !== null && { runs_on }) };
  const events: NewEvent[] = [{ kind: "task_accepted", body }];
  return { task, events, changes: [{ on: "task_created", task }] };
}

/** What it means that the id of an accepted task was taken: null when it is the same task. */
export function acceptConflict(existing: Task, contract: TaskContract): TransitionRefusal | null {
  if (isSameContract(existing.contract, contract)) return null;
  const { task_id, status } = existing;
  const message = `Task ${task_id} exists with another contract; use a new task_id.`;
  return { code: "task_exists", message, current: { task_id, status, contract: existing.contract } };
}

type Claim = EventBody<"taken_up"> & {
  readonly task_id: string;
  readonly lease_expires_at: string;
  /** The owner that has ended; null where there is none. */
  readonly left_by?: string | null;
  /** What no other task may have meanwhile; null for a target that is shared. */
  readonly target?: string | null;
};

/** That the row of the task did not change means that another writer has ended it, paused it or claimed it: there is nothing to claim. */
export function claim({ task_id, lease_expires_at, left_by = null, target = null, ...body }: Claim): Transition {
  const set = { status: "running", owner: body.owner, lease_expires_at } as const;
  const owner = [null, body.owner, left_by];
  const held: Change[] = target === null ? [] : [{ on: "target_held", target_signature: target, task_id }];
  return {
    events: [{ kind: "taken_up", body }],
    changes: [{ on: "task", task_id, expect: { status: LIVE, owner, readable_at: JOURNAL_LEVEL }, set }, ...held],
  };
}

const LIVE = ["accepted", "running"] as const;

/** A server that drains runs nothing of the task any more, and leaves it to any other. */
export const release = (task_id: string, owner: string): Transition => ({
  events: [],
  changes: [
    { on: "task", task_id, expect: { status: LIVE, owner: [owner] }, set: { owner: null, lease_expires_at: null } },
  ],
});

type Pause = {
  /** Null on a promotion: there the approval alone waits. */
  readonly task_id: string | null;
  readonly outcome: Outcome;
  readonly waiting: Waiting;
  readonly procedure: Procedure | null;
  /** A step may have changed something, so no other task may have the target. */
  readonly keeps_target: boolean;
};

export function pause({ task_id, outcome, waiting, procedure, keeps_target }: Pause): Transition {
  const { status } = outcome;
  if (!isPaused(status)) throw new Error(`a thread cannot pause with the status ${status}`);
  const set = { status, outcome, waiting, owner: null, lease_expires_at: null, ...pinsOf(procedure) };
  const paused: Change[] =
    task_id === null ? [] : [{ on: "task", task_id, expect: { status: ["running"] }, set } satisfies TaskChange];
  const freed = task_id === null || keeps_target ? [] : [freedBy(task_id)];
  return { events: [{ kind: "reported", body: outcome }], changes: [...paused, ...freed, ...askedIn(waiting)] };
}

const freedBy = (task_id: string): Change => ({ on: "target_freed", task_id });

/** From now on the approval can be decided: only this interrupt may resume the thread. */
const askedIn = (waiting: Waiting): Change[] =>
  waiting.kind === "approval"
    ? [{ on: "approval", approval_id: waiting.approval_id, set: { interrupt_id: waiting.interrupt_id } }]
    : [];

/** The row of a task without a procedure keeps what it has. */
const pinsOf = (procedure: Procedure | null) =>
  procedure === null ? {} : { sop_id: procedure.sop_id, sop_version: procedure.sop_version };

type End = {
  readonly task_id: string;
  readonly outcome: Outcome;
  readonly at: string;
  readonly procedure: Procedure | null;
  readonly verdict?: EventBody<"verdict_reached"> | null;
  readonly proved?: boolean;
  /** What becomes of an SOP on trial. */
  readonly trial?: Moves | null;
  /** Gives the previous SOP back that a replacement has deprecated. */
  readonly restored?: Moves | null;
  readonly withdrawn: readonly Change[];
  /** What a taught task has proved. */
  readonly candidate?: Sop | null;
};

export function end({ task_id, outcome, at, procedure, withdrawn, ...ended }: End): Transition {
  const { status } = outcome;
  const { verdict = null, proved = false, trial = null, restored = null, candidate = null } = ended;
  // A task that was never claimed can only fail: orch could not carry it on.
  const from = status === "failed" ? LIVE : (["running"] as const);
  const stored =
    candidate === null
      ? []
      : [sopChanged(candidate, "candidate", `${ORIGIN_BY_LEVEL[candidate.level]} task ${task_id}`)];
  return {
    events: [...stored, ...(trial?.events ?? []), ...(restored?.events ?? []), { kind: "reported", body: outcome }],
    changes: [
      { on: "task", task_id, expect: { status: from }, set: { ...endOf(outcome, at), ...pinsOf(procedure) } },
      freedBy(task_id),
      ...counted(verdict, procedure, proved),
      ...(trial?.changes ?? []),
      ...(restored?.changes ?? []),
      ...withdrawn,
      ...(candidate === null ? [] : [{ on: "sop_created", sop: candidate } as const]),
    ],
  };
}

/** How the task made the candidate, for the reason in the journal. */
const ORIGIN_BY_LEVEL: Readonly<Record<SopLevel, string>> = {
  proved: "proved by",
  tried: "verified, but not proved, by",
  defined: "drafted from what the agent did in",
};

function endOf(outcome: Outcome, at: string) {
  const { status } = outcome;
  if (!hasEnded(status)) throw new Error(`a task cannot end with the status ${status}`);
  return { status, outcome, waiting: null, owner: null, lease_expires_at: null, ended_at: at };
}

/** Counters move only on verified results of a procedure that was run. */
function counted(verdict: EventBody<"verdict_reached"> | null, procedure: Procedure | null, proved: boolean): Change[] {
  const sop_id = procedure?.sop_id ?? null;
  if (verdict === null || sop_id === null || !hasTriedProcedure(verdict)) return [];
  return [{ on: "sop_counted", sop_id, passed: verdict.passed, proved }];
}

type Cancellation = {
  readonly reason: string | null;
  readonly job: string | null;
  readonly next?: NextAction[] | undefined;
  readonly at: string;
  readonly withdrawn: readonly Change[];
  /** Gives the previous SOP back that a replacement has deprecated. */
  readonly restored: Transition | null;
};

/** Ends a task that no server works on. Where one does, `requestCancel` asks it to. Nothing is left to do for a cancelled one. */
export function cancel(
  task: Task,
  { reason, job, next, at, withdrawn, restored }: Cancellation,
): Transition | TransitionRefusal {
  const { task_id, status, waiting } = task;
  if (hasEnded(status)) return cancelConflict(task) ?? { events: [], changes: [] };
  const details = [reason, job].filter((part) => part !== null).join("; ");
  const message = `The supervisor cancelled the task${details === "" ? "" : `: ${details}`}.`;
  const cancelled = outcome("cancelled", "cancelled", message, { thread_id: task_id, next });
  const expect = waiting === null ? { status: [status] } : { status: [status], interrupt_id: waiting.interrupt_id };
  return {
    events: [...requestCancel(reason).events, ...(restored?.events ?? []), { kind: "reported", body: cancelled }],
    changes: [
      { on: "task", task_id, expect, set: endOf(cancelled, at) },
      freedBy(task_id),
      ...withdrawn,
      ...(restored?.changes ?? []),
    ],
  };
}

/**
 * Ends a task whose row or journal cannot be read (D-233). `task` is what can be read of it, and the row is that again
 * afterwards; what it waited for, and its status, are not known.
 */
export function cancelQuarantined(
  { task_id, ...task }: Task,
  { reason, fault, at, withdrawn }: Pick<Cancellation, "reason" | "at" | "withdrawn"> & { readonly fault: string },
): Transition {
  const details = reason === null ? "" : `: ${reason}`;
  const unread = `What it has started or set aside is left as it is, because not all of it can be read (${fault})`;
  const message = `The supervisor cancelled the task in quarantine${details}. ${unread}.`;
  const cancelled = outcome("cancelled", "cancelled", message, { thread_id: task_id });
  // The whole row, so that it can be read again.
  const set = { ...task, ...endOf(cancelled, at), verification: null };
  return {
    events: [...requestCancel(reason).events, { kind: "reported", body: cancelled }],
    changes: [{ on: "task", task_id, expect: { status: "any" }, set }, freedBy(task_id), ...withdrawn],
  };
}

/** Why a task can no longer be cancelled; null while it can, and when it was. */
export function cancelConflict(task: Task): TransitionRefusal | null {
  const { task_id, status } = task;
  if (!hasEnded(status) || status === "cancelled") return null;
  const message = `Task ${task_id} has ended already.`;
  return { code: "task_ended", message, current: { task_id, status, outcome: outcomeOf(task) } };
}

export const requestCancel = (reason: string | null): Transition => ({
  events: [{ kind: "cancel_requested", body: { reason } }],
  changes: [],
});
