// The names of threads. The thread of a task has the task's id; the promotion of an SOP has a thread of its own.

/** No task id contains a slash. */
export const PROMOTION_PREFIX = "promotion/";

export const promotionThread = (sop_id: string): string => `${PROMOTION_PREFIX}${sop_id}`;

export type ThreadSubject =
  | { readonly kind: "task"; readonly task_id: string }
  | { readonly kind: "promotion"; readonly sop_id: string };

export const subjectOfThread = (thread_id: string): ThreadSubject =>
  thread_id.startsWith(PROMOTION_PREFIX)
    ? { kind: "promotion", sop_id: thread_id.slice(PROMOTION_PREFIX.length) }
    : { kind: "task", task_id: thread_id };
