// Proves a version as far as that is possible without changing anything (D-200): policy on its target, what each step changes, the
// looks at its checks there, the previews of its steps, its runs, and its difference to the active version.

import type { Change } from "../domain/change.ts";
import type { Finding } from "../domain/finding.ts";
import { parseOrigin, type Sop } from "../domain/sop.ts";
import type { SopProof } from "../domain/sop-proof.ts";
import type { Store } from "../ports.ts";
import { lookAtPlan } from "./look-at-plan.ts";
import type { RunFromOutside } from "./run-from-outside.ts";
import { runsOfSop } from "./runs-of-sop.ts";
import { isTried, type ProofDeps } from "./sop-checks.ts";
import { firstRunWarnings, proofWarnings } from "./sop-warnings.ts";
import { stepDiff } from "./step-diff.ts";
import { targetLiterals } from "./target-literals.ts";
import { withoutTask } from "./without-task.ts";

/** `changes` are to be committed with it: the level, where it has risen. */
export type GatheredProof = {
  readonly proof: SopProof;
  readonly findings: readonly Finding[];
  /** What its steps run that is not in the procedure: the promotion binds it. */
  readonly outside: RunFromOutside;
  readonly changes: readonly Change[];
};

export async function gatherProof(deps: ProofDeps, sop: Sop, signal: AbortSignal): Promise<GatheredProof> {
  const contract = withoutTask(sop.intent, sop.target);
  const [{ steps, checks, findings, outside, is_cut, warnings: not_run }, found, active] = await Promise.all([
    lookAtPlan(deps, { contract, is_of_task: false, plan: sop }, signal),
    runsOfSop(deps.store, sop),
    deps.store.findActiveSop(sop.intent, sop.target_signature),
  ]);
  const literals = await literalsOfCopy(deps.store, sop);
  const runs = found.map(({ remarks: _remarks, ...run }) => run);
  const remarks = found.flatMap((run) => run.remarks.map((text) => `Task ${run.task_id}: ${text}.`));
  const older = active?.sop_id === sop.sop_id ? null : active;
  const level = sop.level === "defined" && checks.every(isTried) ? "tried" : sop.level;
  const known = {
    ...{ level, proved_on: sop.proved_on, steps, checks, runs },
    compared_to: older?.version ?? null,
    diff: older === null ? null : stepDiff(older.steps, sop.steps),
  };
  const risen = level === sop.level ? [] : [levelChange(sop, level)];
  const unshown = sop.trial_left > 0 && older !== null ? firstRunWarnings(checks, older) : [];
  const cut = is_cut ? [CUT_SHORT] : [];
  const warnings = [...cut, ...not_run, ...literals, ...unshown, ...remarks, ...proofWarnings(known)];
  return { proof: { ...known, warnings }, findings, outside, changes: risen };
}

export const CUT_SHORT = "Not everything was looked at: the time for it was over.";

/** What the steps of a copy still name of the target that it was copied from. */
async function literalsOfCopy(store: Pick<Store, "findSop">, { origin, steps, target }: Sop): Promise<string[]> {
  const from = parseOrigin(origin);
  const source = from.by === "copy" ? await store.findSop(from.sop_id) : null;
  return (source === null ? [] : targetLiterals(steps, source.target, target)).map(
    ({ step_index, key, value }) =>
      `Step ${step_index} still names ${JSON.stringify(value)}, the ${key} of the target that it was copied from.`,
  );
}

const levelChange = ({ sop_id, status }: Sop, level: Sop["level"]): Change => ({
  on: "sop",
  sop_id,
  expect: { status },
  set: { level },
});
