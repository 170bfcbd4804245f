// list_anchors, and the anchors of one journal in its evidence.
import { anchorOf, type EvidenceAnchor } from "../domain/anchor.ts";
import { leavesOf } from "../domain/backup.ts";
import type { Store } from "../ports.ts";
import { keptRoots } from "../tasks/anchors-in.ts";
import type { OperationHandler } from "./operation.ts";
import type { listAnchors } from "./shapes/anchors.ts";

export const handleListAnchors: OperationHandler<typeof listAnchors> =
  ({ store }) =>
  async () => {
    const { anchors, restores } = await keptRoots(store);
    return { anchors: [...anchors], restores: [...restores] };
  };

/** The last of them covers all that is before it; a few more are of use where not every root was noted. */
const MOST_ANCHORS = 7;
const MOST_DAYS = 7;

/** Reads the leaves of a day once: they never change, and there may be a hundred thousand. */
export function createAnchorReader(store: Pick<Store, "listAnchored" | "readLeaves">) {
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
