// Answers get_evidence. A bundle is self-contained: everything that is known of the task, with the
// journal, its hashes and the anchors of it, so that it can be checked without orch.
import { anchorOf, type EvidenceAnchor } from "../../domain/anchor.ts";
import { leavesOf } from "../../domain/backup.ts";
import { brokenLink } from "../../domain/journal.ts";
import { readings } from "../../engine/evidence/bundle.ts";
import { createRootReader } from "../../engine/tasks/anchors-in.ts";
import { projection } from "../../engine/tasks/projection.ts";
import type { Store } from "../../ports.ts";
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

// The anchors of one journal.

/** The last of them covers all that is before it; a few more are of use where not every root was noted. */
const MOST_ANCHORS = 7;
const MOST_DAYS = 7;

/** Reads the leaves of a day once: they never change, and there may be a hundred thousand. */
function createAnchorReader(store: Pick<Store, "listAnchored" | "readLeaves">) {
  const kept = new Map<string, readonly string[]>();
  const leavesAt = async (day: string): Promise<readonly string[]> => {
    const known = kept.get(day);
    if (known !== undefined) return known;
    const leaves = leavesOf(await store.readLeaves(day));
    const [oldest] = kept.keys();
    if (kept.size >= MOST_DAYS && oldest !== undefined) kept.delete(oldest);
    kept.set(day, leaves);
    return leaves;
  };
  return async (thread_id: string): Promise<EvidenceAnchor[]> => {
    const days = await store.listAnchored(thread_id, MOST_ANCHORS);
    const anchors: EvidenceAnchor[] = [];
    for (const { day, seq, hash } of days) {
      const anchor = anchorOf(day, await leavesAt(day), { thread_id, seq, hash });
      if (anchor !== null) anchors.push(anchor);
    }
    return anchors;
  };
}
