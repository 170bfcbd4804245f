// update_sop, steps 5 and 6 (spec section 3). Approved: the candidate becomes active. Rejected or expired: the previous
// version is active again, because a refused edit must not take a working procedure away.
import { eventsOf, type JournalEvent } from "../../src/domain/journal.ts";
import type { Sop } from "../../src/domain/sop.ts";
import type { Store } from "../../src/ports.ts";
import type { Facts, Pipeline } from "../state.ts";
import { because } from "../why.ts";
import type { PipelineDeps } from "./pipeline-deps.ts";
import { activation, moved, together } from "./sop-changes.ts";

export const settleReplacement =
  (deps: PipelineDeps) =>
  async ({ contract, decision }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const { candidate, previous } = await replacementOf(deps.store, journal.events);
    const approved = decision === "approve";
    if (candidate.status === "candidate") {
      const moves = approved
        ? await activation(deps.store, candidate)
        : await restoration(deps.store, candidate, previous);
      await journal.commit(moves.events, moves.changes);
    }
    if (!approved) return {};
    return { why: because("sop_replaced", `Version ${candidate.version} of ${candidate.intent} is active.`) };
  };

/** The candidate that an update_sop task has created, and the version that stepped aside for it. */
export async function replacementOf(
  store: Store,
  events: readonly JournalEvent[],
): Promise<Record<"candidate" | "previous", Sop>> {
  const [stepAside, created] = eventsOf(events, "sop_changed");
  const previous = stepAside === undefined ? null : await store.findSop(stepAside.sop_id);
  const candidate = created === undefined ? null : await store.findSop(created.sop_id);
  if (previous === null || candidate === null) throw new Error("the journal tells of no replacement");
  return { candidate, previous };
}

export async function restoration(store: Store, candidate: Sop, previous: Sop) {
  const retired = moved(candidate, "deprecated", "replacement refused");
  const active = await store.findActiveSop(candidate.intent, candidate.target_signature);
  return active === null ? together(retired, moved(previous, "active", "replacement refused")) : retired;
}
