// The name of the thread on which an SOP is promoted.

/** Never the name of a task's thread: no task id holds a slash. */
export const promotionThread = (sop_id: string): string => `promotion/${sop_id}`;
