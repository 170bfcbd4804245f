// Drafts the procedure that an agent's verified run leaves as a candidate [3.sop.candidate] (D-191).
import type { Procedure } from "../domain/journal.ts";
import type { SopDefinition } from "../domain/sop.ts";
import { targetSignature } from "../domain/target.ts";
import type { Judge, Store } from "../ports.ts";
import { teachingOf } from "../tasks/teaching.ts";
import { proposeSop, type VerifiedRun } from "./propose-sop.ts";

type Deps = {
  readonly store: Store;
  readonly judge: Judge;
};

/**
 * Returns null if a supervisor has to read the draft first, because it is incomplete or teach would refuse it. Also returns null
 * while a version of this intent and target is active or waits for its promotion.
 */
export async function procedureOfAgent({ store, judge }: Deps, run: VerifiedRun): Promise<Procedure | null> {
  const { intent, target } = run.contract;
  const versions = await store.listSops({ intent, target_signature: targetSignature(target), limit: 1000 });
  if (versions.some(({ status }) => status !== "deprecated")) return null;
  const { is_complete, steps, criteria: proved } = await judge(proposeSop, run);
  if (!is_complete) return null;
  const criteria = Object.fromEntries(proved.map(({ criterion, step_index }) => [criterion, step_index]));
  const draft: SopDefinition = { steps, criteria, safety_level: "standard", preconditions: [] };
  const context = { home: run.home, remote: false };
  const { procedure, issues } = await judge(teachingOf, run.contract, draft, context);
  return issues.length === 0 ? procedure : null;
}
