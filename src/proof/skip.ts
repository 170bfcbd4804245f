// What `skip_if_done` asks of a plan (D-199): a task without a run is done only by what its checks say, so they must be able to say
// that it is not. What the looks answered is not judged here.
import { READ_ONLY_INTENTS, type TaskContract } from "../domain/contract.ts";
import { canonicalJson } from "../domain/json-values.ts";
import type { CriterionCheck } from "../domain/sop.ts";
import { isCheck, type Step } from "../domain/step.ts";
import { readsBefore } from "../domain/step-run.ts";
import { uncovered } from "../domain/verdict.ts";
import { hasOnce } from "./before.ts";

type Plan = { readonly steps: readonly Step[]; readonly criteria: readonly CriterionCheck[] };

/** Why the steps run all the same, as a clause; null where the looks decide. It follows from the contract and the plan alone. */
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
    : step.kind !== "wait" && step.value.includes("ORCH_PAYLOAD");
