// The variables of a step that only a task gives. A procedure that no task runs yet has its target, and none of them.

export const TASK_VARIABLES = ["ORCH_PAYLOAD", "ORCH_TASK_ID"] as const;

/** Any mention counts: the text of another program may read it too. */
export const readsTask = (text: string): boolean => TASK_VARIABLES.some((name) => text.includes(name));
