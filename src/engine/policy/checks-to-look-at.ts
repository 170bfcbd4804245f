// Asks of the checks of a plan what they say before its first change: which are run once (D-194), and whether `skip_if_done` may
// end the task (D-199).
import { READ_ONLY_INTENTS, type TaskContract } from "../../domain/contract.ts";
import { canonicalJson } from "../../domain/json-values.ts";
import type { LookRequest } from "../../domain/run-request.ts";
import type { CriterionCheck } from "../../domain/sop.ts";
import { isCheck, type Step } from "../../domain/step.ts";
import { isPause, readsBefore } from "../../domain/step-run.ts";
import { uncovered } from "../../domain/verification.ts";
import { effectOf } from "../../guard/guard.ts";
import { hasOnce } from "../../proof/proof.ts";
import { type LookedAt, shellContextOf } from "./judge-plan.ts";

/** Of each of the texts, whether it must run only once. */
export const haveOnce = (texts: readonly string[]): readonly boolean[] => texts.map(hasOnce);

type Plan = { readonly steps: readonly Step[]; readonly criteria: readonly CriterionCheck[] };

/**
 * Says, as a clause, why `skip_if_done` cannot skip the steps of this plan (D-199); null where the looks at its checks decide. Checks may
 * replace a run only if they can fail. The contract and the plan alone decide this, not the answers of the looks.
 */
export function obstacleToSkip(contract: TaskContract, { steps, criteria }: Plan): string | null {
  const { intent, payload, success_criteria } = contract;
  if (READ_ONLY_INTENTS.has(intent)) return `the intent ${intent} only looks`;
  const checks = steps.flatMap((step, index) => (isCheck(step) ? [{ index, step }] : []));
  if (checks.length === 0) return "the plan has no check";
  const once = checks.find(({ step }) => hasOnce(step.value));
  if (once !== undefined) return `check step ${once.index} must run only once`;
  const compares = checks.find(({ step }) => readsBefore(step.value));
  if (compares !== undefined) return `check step ${compares.index} compares with ORCH_BEFORE`;
  const [open] = uncovered(success_criteria, criteria);
  if (open !== undefined) return `no check covers the success criterion ${JSON.stringify(open)}`;
  const reader = steps.findIndex((step) => !isCheck(step) && readsPayload(step));
  const isChecked = checks.some(({ step }) => readsPayload(step));
  if (reader !== -1 && !isChecked && Object.keys(payload).length > 0)
    return `step ${reader} reads the payload, and no check does`;
  return null;
}

/** Another payload is another goal: a check that does not read it cannot know which one was reached. */
const readsPayload = (step: Step): boolean =>
  step.kind === "mcp_call"
    ? canonicalJson([step.arguments, step.expect ?? null]).includes("${payload.")
    : !isPause(step) && step.value.includes("ORCH_PAYLOAD");

/**
 * Chooses the checks of a plan that are run once before its first change (D-194). Those that policy knows to look only, and that
 * come after the first step that may change something. Where a task may be done already, also those before it.
 */
export function checksToLookAt(contract: LookedAt, steps: readonly Step[], home: string): LookRequest["checks"] {
  if (READ_ONLY_INTENTS.has(contract.intent)) return [];
  const looksOnly = (step: Step): boolean => {
    if (isPause(step)) return true;
    if (step.kind === "mcp_call") return isCheck(step);
    return effectOf(step.value, shellContextOf(contract, home)).is === "reads";
  };
  const change = steps.findIndex((step) => !looksOnly(step));
  if (change === -1) return [];
  const isInTime = (step: Step, index: number): boolean =>
    index > change || (contract.skip_if_done === true && !readsBefore(step.value));
  return steps.flatMap((step, step_index) =>
    isInTime(step, step_index) && isCheck(step) && !hasOnce(step.value) && looksOnly(step)
      ? [{ step_index, step }]
      : [],
  );
}
