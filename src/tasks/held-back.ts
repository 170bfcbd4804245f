// A task that a freeze holds: what it is judged by, and how its claim is given back when the freeze came between the claim and the
// first step (D-320).
import { signatureOf } from "../domain/contract.ts";
import type { Frozen, HeldBy } from "../domain/freeze.ts";
import type { Commit } from "../ports.ts";
import type { Projection } from "./projection.ts";

/** Null on a promotion, a schedule or a freeze, which take no step. */
export function frozenOf({ accepted }: Projection): Frozen | null {
  if (accepted === null) return null;
  const { contract } = accepted;
  return { intent: contract.intent, target_signature: signatureOf(contract) };
}

/** Does not hold where another server has claimed it, or it has ended or paused. */
export const giveBack = (task_id: string, held_by: HeldBy): Pick<Commit, "events" | "changes"> => ({
  events: [{ kind: "held_back", body: held_by }],
  changes: [
    { on: "task", task_id, expect: { status: ["running"] }, set: { owner: null, lease_expires_at: null } },
    { on: "target_freed", task_id },
  ],
});
