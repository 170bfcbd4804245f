// What `skip_if_done` would change for a contract, as explain says it. Nothing is looked at: whether a check is true, and whether
// it can fail, is found out when the task runs.
import type { TaskContract } from "../domain/contract.ts";
import { counted } from "../domain/outcome.ts";
import type { CriterionCheck } from "../domain/sop.ts";
import { isCheck, type Step } from "../domain/step.ts";
import { checksToLookAt, lookedAt } from "../proof/checks-to-look-at.ts";
import { obstacleToSkip } from "../proof/skip.ts";
import type { OperationDeps } from "./deps.ts";

type Plan = { readonly steps: readonly Step[]; readonly criteria: readonly CriterionCheck[] };

type SkipDeps = Pick<OperationDeps, "backendOf" | "examiner" | "home" | "judge">;

/** Null where the contract does not ask for it. */
export async function explainSkip(deps: SkipDeps, contract: TaskContract, plan: Plan): Promise<string | null> {
  if (contract.skip_if_done !== true) return null;
  const { steps, criteria } = plan;
  const obstacle =
    (await deps.judge(obstacleToSkip, contract, { steps, criteria })) ?? (await obstacleHere(deps, contract, steps));
  if (obstacle !== null) return `skip_if_done has no effect: ${obstacle}.`;
  const checks = counted(plan.steps.filter(isCheck).length, "check");
  return `Before the first step, and after an approval, ${checks} would be looked at. If all are true and can fail, nothing would be run and the task would end ok, already_done.`;
}

async function obstacleHere(
  { backendOf, examiner, home, judge }: SkipDeps,
  contract: TaskContract,
  steps: readonly Step[],
): Promise<string | null> {
  if (backendOf(contract)?.look === undefined || examiner === null)
    return "checks are not looked at before the change here";
  const looked = new Set(
    (await judge(checksToLookAt, lookedAt(contract), steps, home)).map(({ step_index }) => step_index),
  );
  if (looked.size === 0) return "policy knows no check after a change to look only";
  const open = steps.findIndex((step, index) => isCheck(step) && !looked.has(index));
  return open === -1 ? null : `policy does not know check step ${open} to look only`;
}
