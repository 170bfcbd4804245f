// submit_task and what follows: reading, cancelling and resolving a task, and recording a check of it.
import { z } from "zod";
import { CONTRACT_RULES, SentContract, TaskId } from "../../domain/contract.ts";
import { TASK_STATUSES } from "../../domain/outcome.ts";
import { Quarantined } from "../../domain/quarantine.ts";
import { GivenEvidence } from "../../domain/verification.ts";
import { Limit, READ, shape, WaitSeconds } from "../operation.ts";
import { TaskSummary, TaskView } from "./task-view.ts";

export const submitTask = shape({
  name: "submit_task",
  summary:
    "Submit a task contract: orch runs the stored SOP (standard operating procedure) of its intent and target. Submitting approves everything inside its implicit_scope.",
  method: "POST",
  path: "/v1/tasks",
  scope: "submit",
  hints: { read_only: false, destructive: true, idempotent: true },
  input: SentContract.extend({ wait_seconds: WaitSeconds }).meta(CONTRACT_RULES),
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
});

export const cancelTask = shape({
  name: "cancel_task",
  summary: "Cancel a task. What runs is killed with everything it started; the evidence is kept.",
  method: "POST",
  path: "/v1/tasks/{task_id}/cancel",
  scope: "submit",
  hints: { read_only: false, destructive: true, idempotent: true },
  input: z.strictObject({ task_id: TaskId, reason: z.string().max(4096).optional().describe("For the record.") }),
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
    verified: z.boolean().describe("Whether the result is there."),
    source: z.string().min(1).max(1024).describe("Where you looked it up, for example a dashboard or a probe."),
    note: z.string().max(4096).optional().describe("What you saw."),
    evidence: GivenEvidence.optional().describe("What shows it: a text, a url, a command that you ran."),
  }),
  output: TaskView,
});
