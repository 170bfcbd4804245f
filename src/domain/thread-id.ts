// Names threads. The thread of a task has the task's id. Records of features have threads of their own, and so has each promotion of an
// SOP: `promotion/<sop_id>` for the first, and `promotion/<sop_id>/<n>` for those after it was set back (D-292).

/** No task id contains a slash. */
export const PROMOTION_PREFIX = "promotion/";

/** On the thread of an earlier promotion its decision would be found, and would promote the version again at once. */
export const promotionThread = (sop_id: string, round = 1): string =>
  round === 1 ? `${PROMOTION_PREFIX}${sop_id}` : `${PROMOTION_PREFIX}${sop_id}/${round}`;

/** The thread of the daily roots over all journals. A task may be called `anchor`. */
export const ANCHOR_THREAD = "anchor/days";

type ThreadSubject =
  | { readonly kind: "task"; readonly task_id: string }
  | { readonly kind: "promotion"; readonly sop_id: string };

export function subjectOfThread(thread_id: string): ThreadSubject {
  if (!thread_id.startsWith(PROMOTION_PREFIX)) return { kind: "task", task_id: thread_id };
  const [sop_id = ""] = thread_id.slice(PROMOTION_PREFIX.length).split("/");
  return { kind: "promotion", sop_id };
}

/** Unique enough with few random digits: a second task of the same id is refused, and never another task's result. */
export function newTaskId(intent: string, now: Date, digits: string): string {
  const time = now
    .toISOString()
    .replace(/[-:]|\.\d+Z$/g, "")
    .replace("T", "-");
  return `${intent.replace(/[^A-Za-z0-9._:-]/g, "-").slice(0, 96)}-${time}-${digits}`;
}
