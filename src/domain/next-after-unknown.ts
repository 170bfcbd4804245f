// Says what the supervisor may do after a cancel in which the outcome of a step was unknown: the step may have had its effect.
import type { NextAction } from "./next-action.ts";

export const nextAfterUnknown = (task_id: string): NextAction[] => [
  {
    operation: "get_evidence",
    arguments: { task_id },
    text: "Look at what the steps did before you submit again.",
  },
  {
    operation: "submit_task",
    arguments: {},
    text: "Submit again under a new task_id when you know what was done.",
  },
];
