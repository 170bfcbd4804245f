// Records for the store's tests: complete, valid, and different only in what a test is about.
import { randomUUID } from "node:crypto";
import { type Approval, type ApprovalContent, approvalDigest } from "../../src/domain/approval.ts";
import { contractDigest, signatureOf, TaskContract } from "../../src/domain/contract.ts";
import type { JournalEvent, NewEvent } from "../../src/domain/journal.ts";
import { outcome } from "../../src/domain/outcome.ts";
import { NOTHING } from "../../src/domain/scorecard/counts.ts";
import { TALLY_KEY } from "../../src/domain/scorecard/kept-scores.ts";
import type { TaskScore } from "../../src/domain/scorecard/task-score.ts";
import { type Sop, stepsDigest } from "../../src/domain/sop.ts";
import type { Step, StepResult } from "../../src/domain/step.ts";
import type { Task } from "../../src/domain/task.ts";
import type { Freeze } from "../../src/features/freeze/freeze.ts";
import type { Schedule } from "../../src/features/schedules/schedule.ts";
import type { CommitResult, Store } from "../../src/ports.ts";
import { UNTRIED } from "../support/builders.ts";

const AT = "2026-03-06T09:00:00.000Z";
const STEPS: Step[] = [
  { kind: "cmd", value: "systemctl restart web" },
  { kind: "check", value: "systemctl is-active web" },
];

export const aSchedule = (changes: Partial<Schedule> = {}): Schedule => {
  const { task_id: _task_id, requested_at: _requested_at, ...contract } = aTask().contract;
  return {
    name: "web-up",
    contract,
    every: "5m",
    cron: null,
    timezone: null,
    status: "active",
    next_due: AT,
    open_due: null,
    last_due: AT,
    last_task_id: "t-1",
    runs: 3,
    skipped: 2,
    missed: 1,
    fault: "no SOP",
    created_at: AT,
    updated_at: AT,
    ...changes,
  };
};

export const aFreeze = (changes: Partial<Freeze> = {}): Freeze => ({
  freeze_id: "freeze-00000001",
  intent: null,
  target_signature: null,
  except_diagnostics: false,
  reason: "the disk is replaced",
  frozen_by: "ann",
  created_at: AT,
  thawed_by: null,
  thawed_at: null,
  ...changes,
});

export function aTask(changes: Partial<Task> = {}): Task {
  const task_id = changes.task_id ?? randomUUID();
  const contract = TaskContract.parse({
    task_id,
    intent: "restart",
    target: { host: "a", service: "web" },
    delegation_mode: "teach_if_unknown",
    constraints: { implicit_scope: ["notes"], require_approval_for: [] },
    success_criteria: ["the service is up"],
    requested_by: "supervisor",
    requested_at: AT,
    payload: { quote: "it's \"5 o'clock\" \u2603" },
    kept: "a field that the specification does not show",
  });
  return {
    task_id,
    contract,
    contract_digest: contractDigest(contract),
    intent: contract.intent,
    target_signature: signatureOf(contract),
    delegation_mode: contract.delegation_mode,
    status: "running",
    outcome: null,
    waiting: null,
    sop_id: null,
    sop_version: null,
    backend: "local",
    owner: "server-1",
    lease_expires_at: AT,
    runs_on: null,
    needs_level: null,
    verification: null,
    created_at: AT,
    updated_at: AT,
    ended_at: null,
    ...changes,
  };
}

export function aSop(changes: Partial<Sop> = {}): Sop {
  return {
    sop_id: randomUUID(),
    intent: "restart",
    target_signature: "host=a;service=web",
    target: { host: "a", service: "web" },
    status: "candidate",
    version: 1,
    steps: STEPS,
    criteria: [{ criterion: "the service is up", step_index: 1 }],
    safety_level: "standard",
    preconditions: ["nobody is logged in"],
    steps_digest: stepsDigest(STEPS),
    origin: "task-1",
    ...UNTRIED,
    last_success_at: null,
    success_count: 0,
    failure_count: 0,
    created_at: AT,
    updated_at: AT,
    ...changes,
  };
}

export function anApproval(changes: Partial<Approval> = {}): Approval {
  const content: ApprovalContent = {
    intent: "restart",
    target_signature: "host=a;service=web",
    sop_id: null,
    sop_version: null,
    steps: STEPS,
    criteria: [],
    safety_level: "approval_required",
    preconditions: [],
    findings: [
      {
        step_index: 0,
        verdict: "ask",
        code: "safety.approval_required",
        reason: "every run of it asks",
        command: null,
        category: null,
      },
    ],
  };
  return {
    approval_id: randomUUID(),
    thread_id: "task-1",
    kind: "plan",
    content,
    digest: approvalDigest(content),
    reason: "approval_required",
    status: "pending",
    interrupt_id: "i-1",
    expires_at: "2026-03-07T09:00:00.000Z",
    decision: null,
    created_at: AT,
    decided_at: null,
    ...changes,
  };
}

const { tasks: _tasks, ...NO_COUNTS } = NOTHING;

export function aScore(changes: Partial<TaskScore> = {}): TaskScore {
  return {
    task_id: "task-1",
    accepted_at: AT,
    ended_at: AT,
    week: "2026-W10",
    intent: "restart",
    target_signature: "host=a;service=web",
    cohort: "known",
    sop_id: null,
    sop_version: 1,
    candidate: null,
    status: "ok",
    reason_code: "verified",
    passed: true,
    external: null,
    checks: 1,
    checks_unseen: 0,
    took_rank: 80,
    broken_why: null,
    tally: JSON.stringify(TALLY_KEY.map((part) => changes[part] ?? null)),
    ...NO_COUNTS,
    done: 1,
    steps: 2,
    queued_ms: 1.5,
    active_ms: 1200,
    ...changes,
  };
}

export const started = (index = 0): NewEvent => ({ kind: "step_started", body: { index, attempt: 1 } });

export function finished(stdout = "done"): NewEvent {
  const body: StepResult = {
    index: 0,
    kind: "cmd",
    status: "passed",
    attempt: 1,
    exit_code: 0,
    stdout,
    stderr: "",
    stdout_bytes: stdout.length,
    stderr_bytes: 0,
    truncated: false,
    started_at: AT,
    duration_ms: 12.5,
    timed_out: false,
  };
  return { kind: "step_finished", body };
}

export const reported = (message = "verified"): NewEvent => ({
  kind: "reported",
  body: outcome("ok", "verified", message, { thread_id: "t-1" }),
});

/** Opens an empty store that stays open until the end of the file. */
export type CreateStore = () => Promise<Store>;

export const aThread = (): string => `thread-${randomUUID()}`;

export function eventsOf(result: CommitResult): readonly JournalEvent[] {
  if (!result.ok) throw new Error(`the commit was refused: ${JSON.stringify(result.conflict)}`);
  return result.events;
}
