// get_evidence and record_verification. The bundle is self-contained: everything that is known of the task, with the
// journal and its hashes, so that it can be checked without orch.
import { OrchError } from "../domain/errors.ts";
import { brokenLink } from "../domain/journal.ts";
import { hasEnded } from "../domain/outcome.ts";
import { readings } from "../evidence/readings.ts";
import type { Store } from "../ports.ts";
import { projection } from "../tasks/projection.ts";
import type { OperationHandler } from "./operation.ts";
import { setBackAsked } from "./promotion-of-task.ts";
import type { getEvidence } from "./shapes/journal.ts";
import type { recordVerification } from "./shapes/tasks.ts";
import { taskOf, viewOf } from "./task-view.ts";

export const handleGetEvidence: OperationHandler<typeof getEvidence> =
  (deps) =>
  async ({ task_id }) => {
    const { task, approvals, journal } = await atOneMoment(deps, task_id);
    const { status, outcome, contract, contract_digest, verification } = task;
    const kept = { task_id, status, outcome, contract, contract_digest, verification, approvals };
    return {
      bundle_version: 2 as const,
      ...kept,
      ...readings(projection(journal)),
      journal,
      broken_link: brokenLink(journal),
    };
  };

const WHOLE = 2 ** 31 - 1;

/** Every change of a task or an approval adds to the journal, so rows that were read while nothing was added are consistent. */
async function atOneMoment(deps: { readonly store: Store }, task_id: string) {
  // As it is: the bundle names the link that is broken.
  const journal = await deps.store.readJournal(task_id, { after: 0, limit: WHOLE });
  for (;;) {
    const task = await taskOf(deps, task_id);
    const approvals = await deps.store.listApprovals({ thread_id: task_id, limit: 500 });
    const added = await deps.store.readJournal(task_id, { after: journal.at(-1)?.seq ?? 0, limit: 500 });
    if (added.length === 0) return { task, approvals, journal };
    journal.push(...added);
  }
}

/** Longer waits are left to the messages. */
const SCORING_MS = 2_000;

export const handleRecordVerification: OperationHandler<typeof recordVerification> =
  (deps) =>
  async ({ task_id, verified, source, note = null }, { signal }) => {
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
    if (result.ok) {
      // The version that it ran may be set back by it (D-302): the caller learns that at once. What fails here is tried again, and
      // then logged, by the keeper of the scores.
      await deps.scores.catchUp(SCORING_MS).catch(() => undefined);
      const recorded = await taskOf(deps, task_id);
      await setBackAsked(deps, recorded, signal);
      return viewOf(deps, recorded);
    }
    const message = hasEnded(task.status) ? "has just changed; look again" : "has not ended yet; verify it when it has";
    throw new OrchError("task_not_ended", `Task ${task_id} ${message}.`, {
      current: { task_id, status: task.status },
    });
  };
