// submit_task and what follows: reading, cancelling and resolving a task.
import { z } from "zod";
import { CONTRACT_RULES, SentContract, TaskId } from "../../../domain/contract.ts";
import { TASK_STATUSES } from "../../../domain/outcome.ts";
import { Quarantined } from "../../../domain/quarantine.ts";
import { EXAMPLE } from "../example.ts";
import { Limit, READ, shape, WaitSeconds } from "../operation.ts";
import { TaskSummary, TaskView } from "./task-view.ts";

export const submitTask = shape({
  name: "submit_task",
  summary:
    "Submit a task contract: orch runs the stored SOP (standard operating procedure) of its intent and target. Submitting approves everything inside its implicit_scope.",
  guidance:
    "Returns at once unless wait_seconds is given; then act on status. accepted or running: get_task with wait_seconds. " +
    "need_input: teach it, or resolve_step when reason_code is step_outcome_unknown or parked. need_approval: show the approval " +
    "to a human, then approve. blocked or failed: read get_evidence. ok: check the result yourself and " +
    "record_verification. With delegation_mode agent a model does it, with the tools that implicit_scope names (shell, " +
    "tool servers), each call under policy; it has to prove every success criterion with a check.",
  method: "POST",
  path: "/v1/tasks",
  scope: "submit",
  hints: { read_only: false, destructive: true, idempotent: true },
  input: SentContract.extend({ wait_seconds: WaitSeconds }).meta(CONTRACT_RULES),
  output: TaskView,
  example: { task_id: EXAMPLE.task_id, ...EXAMPLE.contract, payload: { release: 7 }, wait_seconds: 20 },
});

export const getTask = shape({
  name: "get_task",
  summary: "Status, outcome, steps, what the task waits for and what to do next.",
  guidance: "With wait_seconds (20 is a good choice) it answers as soon as the task ends or needs you.",
  method: "GET",
  path: "/v1/tasks/{task_id}",
  scope: "read",
  hints: READ,
  input: z.strictObject({ task_id: TaskId, wait_seconds: WaitSeconds }),
  output: TaskView,
  example: { task_id: EXAMPLE.task_id, wait_seconds: 20 },
});

export const listTasks = shape({
  name: "list_tasks",
  summary: "Tasks, newest first.",
  method: "GET",
  path: "/v1/tasks",
  scope: "read",
  hints: READ,
  input: z.strictObject({
    status: z.enum(TASK_STATUSES).optional().describe("Only these."),
    verified: z.enum(["none", "true", "false"]).optional().describe("By outside check."),
    since: z.iso.datetime({ offset: true }).optional().describe("From then."),
    intent: z.string().max(64).optional().describe("Only these."),
    target_signature: z.string().max(8192).optional().describe("Only these."),
    q: z.string().min(2, "must have 2 characters").max(256).optional().describe("In id or target."),
    sop_id: z.uuid("must be the UUID of an SOP").optional().describe("Only these."),
    limit: Limit,
    after: TaskId.optional().describe("next_after of the page before."),
  }),
  output: z.strictObject({
    tasks: z.array(TaskSummary),
    next_after: z.string().nullable(),
    quarantined: z.array(Quarantined).describe("tasks that cannot be read, and are not run"),
  }),
  example: { status: "ok", since: "2026-03-06T09:00:00Z", limit: 20 },
});

export const cancelTask = shape({
  name: "cancel_task",
  summary: "Cancel a task. What runs is killed with everything it started; the evidence is kept.",
  guidance:
    "Steps that have run are not undone. A client that stops waiting does not need it: tasks go on without a caller.",
  method: "POST",
  path: "/v1/tasks/{task_id}/cancel",
  scope: "submit",
  hints: { read_only: false, destructive: true, idempotent: true },
  input: z.strictObject({ task_id: TaskId, reason: z.string().max(4096).optional().describe("For the record.") }),
  output: TaskView,
  example: { task_id: EXAMPLE.task_id, reason: "not tonight" },
});

export const resolveStep = shape({
  name: "resolve_step",
  summary: "Say what became of a step of unknown outcome: succeeded, failed, or retry to run it again.",
  guidance:
    "A step, or a call of an agent, was cut off and its outcome is not recorded. Find out first, by other means: succeeded goes on " +
    "after it, failed ends the task, retry runs it a second time and is right only when that does no harm.",
  method: "POST",
  path: "/v1/tasks/{task_id}/resolve",
  scope: "submit",
  hints: { read_only: false, destructive: true, idempotent: false },
  input: z.strictObject({
    task_id: TaskId,
    resolution: z
      .enum(["succeeded", "failed", "retry"])
      .describe(
        "What you found: succeeded goes on, failed ends the task, retry runs the step again, or a parked task.",
      ),
    index: z.int().min(0).optional().describe("The step that is asked about; any other is refused."),
    attempt: z.int().min(1).optional().describe("Of that step; any other is refused."),
    reason: z.string().max(4096).optional().describe("How you know."),
    wait_seconds: WaitSeconds,
  }),
  output: TaskView,
  example: {
    task_id: EXAMPLE.task_id,
    resolution: "succeeded",
    index: 0,
    reason: "the page shows release 7",
    wait_seconds: 20,
  },
});
