// The names of threads. The thread of a task has the task's id. A schedule and a freeze have threads of their own, and so has each promotion of an
// SOP: `promotion/<sop_id>` for the first, and `promotion/<sop_id>/<n>` for those after it was set back (D-292).

/** No task id contains a slash. */
export const PROMOTION_PREFIX = "promotion/";

/** On the thread of an earlier promotion its decision would be found, and would promote the version again at once. */
export const promotionThread = (sop_id: string, round = 1): string =>
  round === 1 ? `${PROMOTION_PREFIX}${sop_id}` : `${PROMOTION_PREFIX}${sop_id}/${round}`;

const SCHEDULE_PREFIX = "schedule/";

/** The thread of a schedule, which asks for no approval. */
export const scheduleThread = (name: string): string => `${SCHEDULE_PREFIX}${name}`;

/** The thread of the daily roots over all journals. A task may be called `anchor`. */
export const ANCHOR_THREAD = "anchor/days";

const FREEZE_PREFIX = "freeze/";

/** The thread of a freeze: who froze, who thawed, when and for what reason. */
export const freezeThread = (freeze_id: string): string => `${FREEZE_PREFIX}${freeze_id}`;

export const isOfFreeze = (thread_id: string): boolean => thread_id.startsWith(FREEZE_PREFIX);

export const scheduleIn = (thread_id: string): string =>
  thread_id.startsWith(SCHEDULE_PREFIX) ? thread_id.slice(SCHEDULE_PREFIX.length) : thread_id;

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
