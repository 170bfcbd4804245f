// get_evidence and record_verification. The bundle is self-contained: everything that is known of the task, with the
// journal and its hashes, so that it can be checked without orch.
import { z } from "zod";
import { Approval } from "../domain/approval.ts";
import { TaskContract, TaskId } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import {
  brokenLink,
  EVENT_BODIES,
  EventRecord,
  eventsOf,
  type JournalEvent,
  lastOf,
  Procedure,
} from "../domain/journal.ts";
import { hasEnded, Outcome, TASK_STATUSES } from "../domain/outcome.ts";
import { Finding } from "../domain/policy/finding.ts";
import { attemptsOf, procedureOf, stepResultsOf } from "../domain/progress.ts";
import { StepResult } from "../domain/step.ts";
import { Verification } from "../domain/task.ts";
import { Verdict } from "../domain/verdict.ts";
import { operation, READ } from "./operation.ts";
import { TaskView, taskOf, viewOf } from "./task-view.ts";

export const Evidence = z.strictObject({
  bundle_version: z.literal(1),
  task_id: z.string(),
  status: z.enum(TASK_STATUSES),
  outcome: Outcome.nullable(),
  contract: TaskContract,
  contract_digest: z.string(),
  procedure: Procedure.nullable(),
  findings: z.array(Finding),
  approvals: z.array(Approval),
  gate_answers: z.array(EVENT_BODIES.gate_answered),
  step_results: z.array(StepResult).describe("the last word on every step that was started"),
  attempts: z.array(StepResult).describe("every attempt that ended"),
  executed_commands: z.array(z.string()),
  verdict: Verdict.nullable(),
  verification: Verification.nullable(),
  journal: z.array(EventRecord),
  broken_link: z
    .int()
    .nullable()
    .describe("first journal entry that does not follow from the one before; null when intact"),
});

export const getEvidence = operation({
  name: "get_evidence",
  summary: "Everything that is known of a task, in one bundle, with the hash-chained journal.",
  method: "GET",
  path: "/v1/tasks/{task_id}/evidence",
  scope: "read",
  hints: READ,
  input: z.strictObject({ task_id: TaskId }),
  output: Evidence,
  handle:
    (deps) =>
    async ({ task_id }) => {
      const { status, outcome, contract, contract_digest, verification } = await taskOf(deps, task_id);
      const journal = await deps.store.readJournal(task_id);
      const approvals = await deps.store.listApprovals({ thread_id: task_id, limit: 500 });
      const kept = { task_id, status, outcome, contract, contract_digest, verification, approvals };
      return { bundle_version: 1 as const, ...kept, ...readings(journal), journal, broken_link: brokenLink(journal) };
    },
});

function readings(journal: readonly JournalEvent[]) {
  const procedure = procedureOf(journal) ?? null;
  const steps = procedure?.steps ?? [];
  const started = eventsOf(journal, "step_started");
  return {
    procedure,
    findings: lastOf(journal, "policy_judged")?.findings ?? [],
    gate_answers: eventsOf(journal, "gate_answered"),
    step_results: stepResultsOf(journal, steps),
    attempts: attemptsOf(journal),
    executed_commands: started.map(({ index }) => steps[index]?.value ?? ""),
    verdict: lastOf(journal, "verdict_reached") ?? null,
  };
}

export const recordVerification = operation({
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
  handle:
    (deps) =>
    async ({ task_id, verified, source, note = null }) => {
      const task = await taskOf(deps, task_id);
      const verification = { verified, source, note, recorded_at: deps.clock().toISOString() };
      const result = await deps.store.commit({
        thread_id: task_id,
        after: "last",
        events: [{ kind: "verification_recorded", body: { verified, source, note } }],
        changes: [
          { on: "task", task_id, expect: { status: ["ok", "failed", "blocked", "cancelled"] }, set: { verification } },
        ],
      });
      if (result.ok) return viewOf(deps, await taskOf(deps, task_id));
      const message = hasEnded(task.status)
        ? "has just changed; look again"
        : "has not ended yet; verify it when it has";
      throw new OrchError("task_not_ended", `Task ${task_id} ${message}.`, {
        current: { task_id, status: task.status },
      });
    },
});
