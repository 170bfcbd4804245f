// submit_task and what follows: reading, cancelling and resolving a task, and recording a check of it.
import { z } from "zod";
import { TaskContract, TaskId } from "../../domain/contract.ts";
import { TASK_STATUSES } from "../../domain/outcome.ts";
import { Limit, READ, shape, WaitSeconds } from "../operation.ts";
import { TaskSummary, TaskView } from "./task-view.ts";

export const submitTask = shape({
  name: "submit_task",
  summary: "Submit a task contract. Submitting it approves every operation inside its implicit_scope.",
  method: "POST",
  path: "/v1/tasks",
  scope: "submit",
  hints: { read_only: false, destructive: true, idempotent: true },
  input: TaskContract.extend({ wait_seconds: WaitSeconds }),
  output: TaskView,
});

export const getTask = shape({
  name: "get_task",
  summary: "Status, outcome, steps, what the task waits for and what to do next.",
  method: "GET",
  path: "/v1/tasks/{task_id}",
  scope: "read",
  hints: READ,
  input: z.strictObject({ task_id: TaskId, wait_seconds: WaitSeconds }),
  output: TaskView,
});

export const listTasks = shape({
  name: "list_tasks",
  summary: "Tasks, newest first.",
  method: "GET",
  path: "/v1/tasks",
  scope: "read",
  hints: READ,
  input: z.strictObject({ status: z.enum(TASK_STATUSES).optional(), limit: Limit, after: TaskId.optional() }),
  output: z.strictObject({ tasks: z.array(TaskSummary), next_after: z.string().nullable() }),
});

export const cancelTask = shape({
  name: "cancel_task",
  summary: "Cancel a task. What runs is killed with everything it started; the evidence is kept.",
  method: "POST",
  path: "/v1/tasks/{task_id}/cancel",
  scope: "submit",
  hints: { read_only: false, destructive: true, idempotent: true },
  input: z.strictObject({ task_id: TaskId, reason: z.string().max(4096).optional() }),
  output: TaskView,
});

export const resolveStep = shape({
  name: "resolve_step",
  summary: "Say what became of a step of unknown outcome: succeeded, failed, or retry to run it again.",
  method: "POST",
  path: "/v1/tasks/{task_id}/resolve",
  scope: "submit",
  hints: { read_only: false, destructive: true, idempotent: false },
  input: z.strictObject({
    task_id: TaskId,
    resolution: z.enum(["succeeded", "failed", "retry"]),
    index: z.int().min(0).optional().describe("must be the step that is asked about, when given"),
    reason: z.string().max(4096).optional(),
    wait_seconds: WaitSeconds,
  }),
  output: TaskView,
});

export const recordVerification = shape({
  name: "record_verification",
  summary: "Record the supervisor's own check of a finished task against an external source.",
  method: "POST",
  path: "/v1/tasks/{task_id}/verification",
  scope: "submit",
  hints: { read_only: false, destructive: false, idempotent: false },
  input: z.strictObject({
    task_id: TaskId,
    verified: z.boolean(),
    source: z.string().min(1).max(1024).describe("where it was looked up, for example a dashboard or a probe"),
    note: z.string().max(4096).optional(),
  }),
  output: TaskView,
});
