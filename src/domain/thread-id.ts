// The names of threads. The thread of a task has the task's id; the promotion of an SOP, and a schedule, have one of their own.

/** No task id contains a slash. */
export const PROMOTION_PREFIX = "promotion/";

export const promotionThread = (sop_id: string): string => `${PROMOTION_PREFIX}${sop_id}`;

const SCHEDULE_PREFIX = "schedule/";

/** The thread of a schedule, which asks for no approval. */
export const scheduleThread = (name: string): string => `${SCHEDULE_PREFIX}${name}`;

/** The name of its schedule. */
export const scheduleIn = (thread_id: string): string =>
  thread_id.startsWith(SCHEDULE_PREFIX) ? thread_id.slice(SCHEDULE_PREFIX.length) : thread_id;

export type ThreadSubject =
  | { readonly kind: "task"; readonly task_id: string }
  | { readonly kind: "promotion"; readonly sop_id: string };

export const subjectOfThread = (thread_id: string): ThreadSubject =>
  thread_id.startsWith(PROMOTION_PREFIX)
    ? { kind: "promotion", sop_id: thread_id.slice(PROMOTION_PREFIX.length) }
    : { kind: "task", task_id: thread_id };

/** Unique enough with few random digits: a second task of the same id is refused, and never another task's result. */
export function newTaskId(intent: string, now: Date, digits: string): string {
  const time = now
    .toISOString()
    .replace(/[-:]|\.\d+Z$/g, "")
    .replace("T", "-");
  return `${intent.replace(/[^A-Za-z0-9._:-]/g, "-").slice(0, 96)}-${time}-${digits}`;
}
