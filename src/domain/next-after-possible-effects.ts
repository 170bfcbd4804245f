// Proposes what to do after the cancel of a task whose steps may have had effects.
import type { NextAction } from "./next-action.ts";

export const nextAfterPossibleEffects = (task_id: string): NextAction[] => [
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
