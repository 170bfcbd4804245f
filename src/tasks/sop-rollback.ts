// A version with the steps of an earlier one of its key (D-293): what the human is shown of it.
import type { Rollback } from "../domain/set-back.ts";
import { parseOrigin, type Sop } from "../domain/sop.ts";
import type { Store } from "../ports.ts";
import { replaceableSop } from "./active-sop.ts";
import { stepDiff } from "./step-diff.ts";
import { allRunsOf, recordIn } from "./version-runs.ts";

type Reads = Pick<Store, "findSop" | "findActiveSop" | "listSops" | "listApprovals" | "scoresOfSop" | "findScore">;

/** Null for a version that is no rollback. */
export async function rollbackOf(
  store: Reads,
  { sop_id, intent, target_signature, steps, origin }: Sop,
): Promise<Rollback | null> {
  const source = parseOrigin(origin);
  const to = source.by === "rollback" ? await store.findSop(source.sop_id) : null;
  if (to === null) return null;
  const current = await replaceableSop(store, { intent, target_signature });
  const from = current?.sop_id === sop_id ? null : current;
  const diff = from && stepDiff(from.steps, steps);
  // Also what was found before it was approved again.
  const whole = { ...to, record_since: null };
  const record = recordIn(whole, await allRunsOf(store, whole));
  return { to: named(to), from: from && named(from), diff, record };
}

const named = ({ sop_id, version }: Sop) => ({ sop_id, version });
