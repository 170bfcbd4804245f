// Says what steps need to be taught [4.teach]: a check step for each success criterion, and a plan that policy lets run for
// this contract.
import type { Target, TaskContract } from "../domain/contract.ts";
import type { FieldIssue } from "../domain/errors.ts";
import type { Finding } from "../domain/finding.ts";
import { coverCriteria, type Procedure, type SopDefinition } from "../domain/sop.ts";
import type { Step } from "../domain/step.ts";
import { stepEnvironment } from "../domain/step-run.ts";
import { previewFault } from "../policy/category-consequences.ts";
import {
  judgePlan,
  type PlanContext,
  type PlanContract,
  type PlanOfSteps,
  shellContextOf,
} from "../policy/judge-plan.ts";
import { stepFaults } from "../proof/check-fault.ts";

export type Teaching = { readonly procedure: Procedure; readonly issues: readonly FieldIssue[] };

/** `issues` is empty when the definition can be taught to this contract. */
export function teachingOf(contract: TaskContract, definition: SopDefinition, context: PlanContext): Teaching {
  const { steps, safety_level } = definition;
  const blocks = blocksOf({ contract, steps, safety_level, intent: contract.intent, context });
  return covered(definition, contract.success_criteria, blocks, { contract, home: context.home });
}

function covered(
  { steps, safety_level, preconditions, criteria: map }: SopDefinition,
  success_criteria: readonly string[],
  blocks: readonly Finding[],
  { contract, home }: { readonly contract: PlanContract; readonly home: string },
): Teaching {
  const { criteria, issues } = coverCriteria(success_criteria, steps, map);
  return {
    procedure: { sop_id: null, sop_version: null, steps, criteria, safety_level, preconditions },
    issues: [
      ...issues,
      ...blocks.map(asIssue),
      ...faultyPreviews(contract, steps, home),
      ...unclearSteps(contract, steps),
    ],
  };
}

/** A preview runs before the procedure is approved. */
const faultyPreviews = (contract: PlanContract, steps: readonly Step[], home: string): FieldIssue[] =>
  steps.flatMap((step, index) => {
    const fault = previewFault(step, shellContextOf(contract, home));
    return fault === null ? [] : [{ path: `steps.${index}.preview`, message: fault }];
  });

function unclearSteps(contract: PlanContract, steps: readonly Step[]): FieldIssue[] {
  const env = stepEnvironment(contract);
  return steps.flatMap((step, index) => stepFaults(step, index, env));
}

/** The same for an SOP that is defined without a task: its map names the criteria, and no contract limits it yet. */
export function definitionOf(
  intent: string,
  target: Target,
  definition: SopDefinition,
  context: PlanContext,
): Teaching {
  const { steps, safety_level, criteria } = definition;
  // Stryker disable next-line ArrayDeclaration: findings on the scope are left out
  const contract = { task_id: "none", target, payload: {}, constraints: { implicit_scope: [] } };
  const blocks = blocksOf({ contract, steps, safety_level, intent, context }).filter(
    ({ code }) => !code.startsWith("scope.") && code !== "parameter.unknown",
  );
  return covered(definition, Object.keys(criteria ?? {}), blocks, { contract, home: context.home });
}

const blocksOf = (plan: PlanOfSteps): Finding[] =>
  // Stryker disable next-line BooleanLiteral: only questions depend on it, and they are left out
  judgePlan({ ...plan, proved: false }).filter((finding) => finding.verdict === "block");

export const asIssue = ({ step_index, code, reason }: Finding): FieldIssue => ({
  path: `steps.${step_index}${code.startsWith("reconcile.") ? ".reconcile" : ""}`,
  message: `${code}: ${reason}`,
});
