// get_evidence. The bundle is self-contained: everything that is known of the task, with the
// journal and its hashes, so that it can be checked without orch.
import { brokenLink } from "../domain/journal.ts";
import { readings } from "../evidence/readings.ts";
import type { Store } from "../ports.ts";
import { createRootReader } from "../tasks/anchors-in.ts";
import { projection } from "../tasks/projection.ts";
import { createAnchorReader } from "./anchors.ts";
import type { OperationHandler } from "./operation.ts";
import type { getEvidence } from "./shapes/journal.ts";
import { taskOf } from "./task-view.ts";

export const handleGetEvidence: OperationHandler<typeof getEvidence> = (deps) => {
  const anchorsOf = createAnchorReader(deps.store);
  const rootsOf = createRootReader(deps.store);
  return async ({ task_id }) => {
    const bundle = await bundleOf(deps, task_id);
    const anchors = await anchorsOf(task_id);
    const { restores } = await rootsOf();
    return {
      ...bundle,
      ...(anchors.length > 0 && { anchors }),
      ...(restores.length > 0 && { restores: [...restores] }),
    };
  };
};

/** Without its anchors, which come later than what it holds. */
export async function bundleOf(deps: { readonly store: Store }, task_id: string) {
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
}

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
