// What becomes of a task and an approval in a database that was restored from a backup (D-370). The world has gone on after
// the backup, and what orch did in it is not on record: so nothing goes on by itself. Each function gives what one commit writes.
import type { Approval, Decided } from "../../domain/approval.ts";
import type { Change } from "../../domain/change.ts";
import type { NewEvent } from "../../domain/journal.ts";
import { call, type NextAction } from "../../domain/next-action.ts";
import { isPaused, outcome } from "../../domain/outcome.ts";
import type { Task } from "../../domain/task.ts";
import { hasStarted, stepInFlight } from "./progress.ts";
import type { Projection } from "./projection.ts";
import type { Moves } from "./sop-versions.ts";
import { end, pause, type Transition } from "./transitions.ts";

/** `asked`: about a step that had begun. `parked`: nothing had, or between two steps. `left`: it waited for the supervisor, and is asked again. */
export type Settled = { readonly as: "asked" | "parked" | "expired" | "left"; readonly transition: Transition };

type RestoredTask = {
  readonly task: Task;
  readonly state: Projection;
  /** Its approvals without a decision. */
  readonly pending: readonly Approval[];
  /** Gives the previous SOP back that a replacement has deprecated. */
  readonly replaced: Moves | null;
  /** Of the question that is asked. */
  readonly interrupt_id: string;
};

type Times = { readonly taken_at: string; readonly at: string };

export function settleTask({ task, state, ...given }: RestoredTask, times: Times): Settled {
  const { status } = task;
  const step = isPaused(status) ? null : stepInFlight(state);
  const expired = given.pending.map((approval) => expireApproval(approval, times.at));
  const before: Transition = {
    events: [restoredEvent(times), ...expired.flatMap(({ events }) => events)],
    changes: expired.flatMap(({ changes }) => changes),
  };
  const settled = (as: Settled["as"], next: Transition): Settled => ({
    as,
    transition: {
      events: [...before.events, ...next.events],
      changes: [...before.changes, ...next.changes.map((change) => expecting(change, task))],
    },
  });
  if (step !== null) return settled("asked", ask({ task, state, ...given }, step, times));
  if (given.pending.length > 0) return settled("expired", endExpired({ task, state, ...given }, times));
  if (isPaused(status)) return settled("left", askAgain({ task, state, ...given }, times));
  return settled("parked", park({ task, state, ...given }, times));
}

const NOTHING: Transition = { events: [], changes: [] };

const restoredEvent = ({ taken_at }: Times): NewEvent => ({ kind: "restored", body: { taken_at } });

/** A transition expects the status that a server finds; here it is any that the backup has. */
const expecting = (change: Change, { status }: Task): Change =>
  change.on === "task" ? { ...change, expect: { status: [status] } } : change;

const EXPIRED: Decided = {
  status: "expired",
  decision: "reject",
  reason: "expired: a backup was restored",
  decided_by: null,
  token_id: null,
};

/** Also one that is being prepared, or of a promotion. */
function expireApproval({ approval_id }: Approval, at: string): Transition {
  const { status, ...decision } = EXPIRED;
  return {
    events: [{ kind: "approval_decided", body: { ...decision, approval_id, status } }],
    changes: [{ on: "approval", approval_id, set: { status, decision, decided_at: at } }],
  };
}

/** A promotion goes on from its journal, and changes rows only. */
export const settlePromotion = (approval: Approval, times: Times): Transition => {
  const { events, changes } = expireApproval(approval, times.at);
  return { events: [restoredEvent(times), ...events], changes };
};

type Step = NonNullable<ReturnType<typeof stepInFlight>>;

function ask({ task, state, interrupt_id }: RestoredTask, { index, attempt }: Step, { taken_at }: Times): Transition {
  const message = `Step ${index} had been started when the backup of ${taken_at} was made, and that backup was restored. The step may or may not have taken effect since, and so may the steps after it.`;
  return pause({
    task_id: task.task_id,
    procedure: state.procedure,
    keeps_target: true,
    outcome: outcome("need_input", "step_outcome_unknown", message, {
      thread_id: task.task_id,
      step_index: index,
      next: nextOfStep(task.task_id, index),
    }),
    waiting: { kind: "resolution", interrupt_id, index, attempt },
  });
}

const nextOfStep = (task_id: string, index: number): NextAction[] => [
  call(
    "cancel_task",
    { task_id },
    "Find out on the target how far it has run since. If it went on after the step, cancel the task.",
  ),
  call("resolve_step", { task_id, index }, "If nothing ran after the step, say what became of the step."),
  seeEvidence(task_id),
];

/** What it waited for may have been given since, and the task may have gone on: the old question would say nothing of that. */
function askAgain({ task, state, interrupt_id }: RestoredTask, { taken_at }: Times): Transition {
  const { task_id, waiting } = task;
  if (waiting === null || waiting.kind === "approval") return NOTHING;
  const asked = AGAIN[waiting.kind];
  const index = waiting.kind === "resolution" ? waiting.index : null;
  const message = `The task ${asked.how(index)} when the backup of ${taken_at} was made, and that backup was restored. It may have been answered and have run since, so find out on the target whether it has.`;
  return pause({
    task_id,
    procedure: state.procedure,
    keeps_target: waiting.kind === "resolution" || hasStarted(state),
    outcome: outcome("need_input", asked.reason, message, {
      thread_id: task_id,
      step_index: index,
      next: index === null ? asked.next(task_id) : nextOfStep(task_id, index),
    }),
    waiting: { ...waiting, interrupt_id },
  });
}

function park({ task, state, interrupt_id }: RestoredTask, { taken_at }: Times): Transition {
  const { task_id } = task;
  const how = task.status === "accepted" ? "waited to be started" : "was running";
  const message = `The task ${how} when the backup of ${taken_at} was made, and that backup was restored. It may have run since, so nothing of it runs until the supervisor lets it go on.`;
  return pause({
    task_id,
    procedure: state.procedure,
    keeps_target: hasStarted(state),
    outcome: outcome("need_input", "parked", message, { thread_id: task_id, next: nextOf(task_id) }),
    waiting: { kind: "parked", interrupt_id },
  });
}

const seeEvidence = (task_id: string): NextAction =>
  call("get_evidence", { task_id }, "Read in the evidence how far it was when the backup was made.");

const cancelFirst = (task_id: string): NextAction =>
  call("cancel_task", { task_id }, "Find out on the target whether it has run since. If it has, cancel the task.");

const nextOf = (task_id: string): NextAction[] => [
  cancelFirst(task_id),
  call("resolve_step", { task_id, resolution: "retry" }, "If it has not, let it go on."),
  seeEvidence(task_id),
];

const nextOfTeaching = (task_id: string): NextAction[] => [
  cancelFirst(task_id),
  call("teach", { task_id }, "If it has not, teach it its steps, one check step for each success criterion."),
];

const AGAIN = {
  resolution: {
    reason: "step_outcome_unknown",
    how: (index: number | null) => `asked about step ${index}`,
    next: nextOf,
  },
  parked: { reason: "parked", how: () => "was parked", next: nextOf },
  teaching: { reason: "sop_unknown", how: () => "waited to be taught", next: nextOfTeaching },
} as const;

function endExpired({ task, state, replaced }: RestoredTask, { taken_at, at }: Times): Transition {
  const message = `The approval was pending when the backup of ${taken_at} was made, and that backup was restored, so it has expired. What was decided since is not known.`;
  return end({
    task_id: task.task_id,
    at,
    procedure: state.procedure,
    restored: replaced,
    withdrawn: [],
    outcome: outcome("blocked", "approval_expired", message, { thread_id: task.task_id }),
  });
}
