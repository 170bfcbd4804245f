// get_evidence and record_verification. The bundle is self-contained: everything that is known of the task, with the
// journal and its hashes, so that it can be checked without orch.
import { z } from "zod";
import { TaskId } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import { brokenLink } from "../domain/journal.ts";
import { hasEnded } from "../domain/outcome.ts";
import { Evidence, readings } from "../evidence/bundle.ts";
import type { Store } from "../ports.ts";
import { operation, READ } from "./operation.ts";
import { TaskView, taskOf, viewOf } from "./task-view.ts";

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
      const { task, approvals, journal } = await atOneMoment(deps, task_id);
      const { status, outcome, contract, contract_digest, verification } = task;
      const kept = { task_id, status, outcome, contract, contract_digest, verification, approvals };
      return { bundle_version: 1 as const, ...kept, ...readings(journal), journal, broken_link: brokenLink(journal) };
    },
});

/** Whatever changes a task or an approval adds to the journal, so what was read while nothing was added belongs together. */
async function atOneMoment(deps: { readonly store: Store }, task_id: string) {
  const journal = await deps.store.readJournal(task_id);
  for (;;) {
    const task = await taskOf(deps, task_id);
    const approvals = await deps.store.listApprovals({ thread_id: task_id, limit: 500 });
    const added = await deps.store.readJournal(task_id, { after: journal.at(-1)?.seq ?? 0, limit: 500 });
    if (added.length === 0) return { task, approvals, journal };
    journal.push(...added);
  }
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
