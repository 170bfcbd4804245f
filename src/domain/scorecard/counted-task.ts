// What the scorecard needs of each task, of which it reads many: nested values only where a task has them.
import type { TaskScore } from "./task-score.ts";

export type CountedTask = Omit<TaskScore, "accepted_at" | "passed" | "checks" | "retries">;
