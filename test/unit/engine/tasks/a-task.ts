// Tasks and approvals in any status, for the tests of a task's life.
import type { Approval, Decided } from "../../../../src/domain/approval.ts";
import type { TaskStatus } from "../../../../src/domain/outcome.ts";
import type { Procedure } from "../../../../src/domain/sop.ts";
import type { Task, Waiting } from "../../../../src/domain/task.ts";
import { accept } from "../../../../src/engine/tasks/transitions.ts";
import { AT, aContract, check } from "../../../support/builders.ts";

export const LATER = "2026-03-06T10:00:00.000Z";
export const PROCEDURE: Procedure = {
  sop_id: "s-1",
  sop_version: 3,
  steps: [check("true")],
  criteria: [],
  safety_level: "standard",
  preconditions: [],
};
export const TEACHING: Waiting = { kind: "teaching", interrupt_id: "i-1" };
export const RESOLUTION: Waiting = { kind: "resolution", interrupt_id: "i-1", index: 2, attempt: 1 };
export const APPROVAL: Waiting = { kind: "approval", interrupt_id: "i-1", approval_id: "a-1" };

export const { task: ACCEPTED } = accept({ contract: aContract(), backend: "local", at: AT });
const WAITING: Partial<Record<TaskStatus, Waiting>> = { need_input: TEACHING, need_approval: APPROVAL };
export const taskIn = (status: TaskStatus, waiting = WAITING[status] ?? null): Task => ({
  ...ACCEPTED,
  status,
  waiting,
});

export const anApproval = (over: Partial<Approval> = {}): Approval => ({
  approval_id: "a-1",
  thread_id: ACCEPTED.task_id,
  kind: "plan",
  content: { ...PROCEDURE, intent: "deploy", target_signature: "", findings: [] },
  digest: "d",
  reason: "r",
  status: "pending",
  interrupt_id: "i-1",
  expires_at: LATER,
  decision: null,
  created_at: AT,
  decided_at: null,
  ...over,
});

/** A human's decision. */
export const APPROVED: Decided = {
  decision: "approve",
  reason: null,
  decided_by: null,
  token_id: "t",
  status: "approved",
};
