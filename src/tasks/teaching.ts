// What steps need to be taught [4.teach]: a check step for each success criterion, and a plan that policy lets run for this
// contract.
import type { TaskContract } from "../domain/contract.ts";
import type { FieldIssue } from "../domain/errors.ts";
import type { Finding } from "../domain/finding.ts";
import type { Procedure } from "../domain/journal.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { coverCriteria, type SopDefinition } from "../domain/sop.ts";
import { reconcileOf, type Step } from "../domain/step.ts";
import { commandText, stepEnvironment } from "../domain/step-run.ts";
import type { Target } from "../domain/target.ts";
import {
  judgePlan,
  type PlanContext,
  type PlanContract,
  type PlanOfSteps,
  shellContextOf,
} from "../policy/judge-plan.ts";
import { previewFault } from "../policy/step-change.ts";
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

// Finds the values of a target that stand in the text of steps as they are. In a copy for another target they keep the old value.

/** A value of the target in a step, which does not follow another target. */
type TargetLiteral = { readonly step_index: number; readonly key: string; readonly value: string };

/** A shorter value occurs in texts by chance. */
const MIN_VALUE = 2;
const WORD = /[A-Za-z0-9_]/;

/** Of the values in which `target` differs from `other`. */
export function targetLiterals(steps: readonly Step[], target: Target, other: Target): TargetLiteral[] {
  const values = Object.entries(target).filter(([key, value]) => value.length >= MIN_VALUE && other[key] !== value);
  return steps.flatMap((step, step_index) =>
    values
      .filter(([, value]) => textsOf(step).some((text) => hasWord(text, value)))
      .map(([key, value]) => ({ step_index, key, value })),
  );
}

function textsOf(step: Step): string[] {
  const looks = [reconcileOf(step) ?? "", step.kind === "cmd" ? (step.preview ?? "") : ""];
  const own =
    step.kind === "mcp_call"
      ? [canonicalJson(step.arguments), canonicalJson(step.expect ?? null)]
      : [commandText(step)];
  return [...own, ...looks];
}

function hasWord(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    if (!WORD.test(text[at - 1] ?? "") && !WORD.test(text[at + value.length] ?? "")) return true;
  }
  return false;
}
