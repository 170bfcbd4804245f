// Answers a paused task: what was taught, what became of a step, what was decided. The task is `running` again. Part of a task's life
// (transitions.ts).
import type { Approval, Decided } from "../../domain/approval.ts";
import type { Change } from "../../domain/change.ts";
import type { EventBody, NewEvent } from "../../domain/journal.ts";
import { canonicalJson } from "../../domain/json-values.ts";
import { outcomeOf, type PauseStatus } from "../../domain/outcome.ts";
import type { Procedure } from "../../domain/sop.ts";
import type { Task } from "../../domain/task.ts";
import type { Projection } from "./projection.ts";
import type { Transition, TransitionRefusal } from "./transitions.ts";

/** `interrupt_id` names the question that is answered: the thread resumes there. */
type Answered = Transition & { readonly interrupt_id: string };

export type SupervisorAnswer =
  | { readonly kind: "teaching"; readonly procedure: Procedure }
  | (Pick<EventBody<"step_resolved">, "resolution" | "reason"> & {
      readonly kind: "resolution";
      /** The step and the attempt that the supervisor means, where they were given. */
      readonly index: number | undefined;
      readonly attempt?: number | undefined;
    });

/** Answers what a task asks the supervisor itself; `answerApproval` answers what it asks a human. */
export function answer(task: Task, given: SupervisorAnswer): Answered | TransitionRefusal {
  const { task_id, waiting } = task;
  if (waiting?.kind === "teaching" && given.kind === "teaching") {
    return answered(task_id, waiting.interrupt_id, { kind: "taught", body: given.procedure });
  }
  if (waiting?.kind === "resolution" && given.kind === "resolution") {
    const { index, attempt, interrupt_id } = waiting;
    const { resolution, reason } = given;
    const body = { index, attempt, resolution, reason };
    if ((given.index ?? index) === index && (given.attempt ?? attempt) === attempt)
      return answered(task_id, interrupt_id, { kind: "step_resolved", body });
  }
  if (waiting?.kind === "parked" && given.kind === "resolution") {
    const { resolution, reason, index } = given;
    if (resolution === "retry" && index === undefined)
      return answered(task_id, waiting.interrupt_id, { kind: "unparked", body: { reason } });
  }
  return answerConflict(task, given.kind);
}

/** Its procedure is in use by now: the task looks it up again. Where that is over once more, it asks again. */
export const withdrawTeaching = ({ task_id, waiting }: Task): Transition => ({
  events: [],
  changes: waiting?.kind === "teaching" ? [resumed(task_id, "need_input", waiting.interrupt_id)] : [],
});

/** Whether it is the last answer of its kind that the task was given: its response was lost, and the call is repeated. */
export function wasGiven({ is_taught, procedure, resolved, unparked }: Projection, given: SupervisorAnswer): boolean {
  if (given.kind === "teaching") return is_taught && canonicalJson(procedure) === canonicalJson(given.procedure);
  const { index = resolved?.index, attempt = resolved?.attempt, resolution, reason } = given;
  if (unparked?.reason === reason && resolution === "retry" && given.index === undefined) return true;
  return resolved !== null && canonicalJson(resolved) === canonicalJson({ index, attempt, resolution, reason });
}

/** What it means that an answer does not fit, or changed no row: the task waits for something else, or for nothing. */
export function answerConflict(task: Task, kind: SupervisorAnswer["kind"]): TransitionRefusal {
  const { task_id, status, waiting } = task;
  const refused = (message: string, current: object) => ({ code: "task_not_waiting" as const, message, current });
  if (kind === "teaching") {
    const message =
      status === "accepted"
        ? `Task ${task_id} has not started yet. Teach it once it asks: get_task with wait_seconds waits for that.`
        : `Task ${task_id} does not wait to be taught.`;
    return refused(message, { task_id, status, outcome: outcomeOf(task) });
  }
  const current = { task_id, status, waiting };
  return waiting?.kind === "parked"
    ? refused(`Task ${task_id} is parked: resolution retry lets it go on, and cancel_task ends it.`, current)
    : refused(`Task ${task_id} does not ask about that step.`, current);
}

const answered = (task_id: string, interrupt_id: string, event: NewEvent): Answered => ({
  interrupt_id,
  events: [event],
  changes: [resumed(task_id, "need_input", interrupt_id)],
});

/** Only the question that was asked is answered: another one has another interrupt. */
const resumed = (task_id: string, status: PauseStatus, interrupt_id: string): Change => ({
  on: "task",
  task_id,
  expect: { status: [status], interrupt_id },
  set: { status: "running", waiting: null, outcome: null },
});

/** Decides an approval and moves its task on. A promotion has no task. */
export function answerApproval(approval: Approval, decided: Decided, decided_at: string): Answered | TransitionRefusal {
  const { approval_id, thread_id, interrupt_id, kind } = approval;
  const { status, ...decision } = decided;
  if (interrupt_id === null) {
    const message = `Approval ${approval_id} is still being prepared; ask again in a moment.`;
    return { code: "approval_not_pending", message };
  }
  const settled: Change = { on: "approval", approval_id, set: { status, decision, decided_at } };
  return {
    interrupt_id,
    events: [{ kind: "approval_decided", body: { ...decision, approval_id, status } }],
    changes: kind === "promotion" ? [settled] : [settled, resumed(thread_id, "need_approval", interrupt_id)],
  };
}

/** What it means that a decision changed no row: null when the same decision was made before. */
export function approvalConflict(approval: Approval, wanted: Decided["status"]): TransitionRefusal | null {
  const { approval_id, status } = approval;
  if (status === wanted) return null;
  return { code: "approval_not_pending", message: `Approval ${approval_id} is ${status} already.`, current: approval };
}
