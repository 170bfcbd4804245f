// The contract that a procedure is looked at with while no task asks for it: its intent, its target, and nothing else.
import type { TaskContract } from "../domain/contract.ts";
import { DEFAULT_MAX_MINUTES } from "../domain/duration.ts";
import type { Target } from "../domain/target.ts";

export const withoutTask = (intent: string, target: Target): TaskContract => ({
  task_id: "none",
  intent,
  target,
  delegation_mode: "known_only",
  success_criteria: [],
  payload: {},
  constraints: { implicit_scope: [], require_approval_for: [], max_minutes: DEFAULT_MAX_MINUTES },
  requested_by: "none",
  requested_at: "1970-01-01T00:00:00Z",
});
