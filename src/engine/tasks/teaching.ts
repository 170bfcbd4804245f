// Decides what steps need to be taught [4.teach], and asks for them: a check step for each success criterion, and a plan that policy lets
// run for this contract.
import { z } from "zod";
import type { Target, TaskContract } from "../../domain/contract.ts";
import type { FieldIssue } from "../../domain/errors.ts";
import type { Finding } from "../../domain/finding.ts";
import { outcome } from "../../domain/outcome.ts";
import { coverCriteria, type Procedure, SopDefinition } from "../../domain/sop.ts";
import type { Step } from "../../domain/step.ts";
import { stepEnvironment } from "../../domain/step-run.ts";
import { previewFault } from "../policy/category-consequences.ts";
import {
  judgePlan,
  type PlanContext,
  type PlanContract,
  type PlanOfSteps,
  shellContextOf,
} from "../policy/judge-plan.ts";
import { stepFaults } from "../policy/step-faults.ts";
import { type Question, question, readEdit } from "./human-in-the-loop.ts";

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

// Asks the supervisor of a task for the steps, and reads the answer of an inbox.

const named = (criteria: readonly string[]): string =>
  criteria.length === 0 ? "what it is to achieve" : criteria.map((criterion) => `"${criterion}"`).join(", ");

/** To be given to an interrupt: an answer that cannot be taught is refused with what is wrong. */
export const teachable = (contract: TaskContract, context: PlanContext) =>
  z.unknown().superRefine((answer, refinement) => {
    const { data, error } = SopDefinition.safeParse(readEdit(answer, offeredTo(contract)));
    const issues = data === undefined ? [] : teachingOf(contract, data, context).issues;
    for (const { path, message } of error?.issues ?? []) refinement.addIssue({ code: "custom", path, message });
    for (const { path, message } of issues) refinement.addIssue({ code: "custom", path: path.split("."), message });
  });

/** Beside the steps; an inbox sends all of it back. */
const offeredTo = ({ task_id, intent, target, success_criteria }: TaskContract) => ({
  task_id,
  intent,
  target,
  success_criteria,
});

/** `none`: the sentence which says that there is no procedure. */
export function teachingQuestion(contract: TaskContract, none: string): Question {
  const { task_id, success_criteria } = contract;
  const message = `${none} Teach one with a check step for ${named(success_criteria)}.`;
  return question(
    outcome("need_input", "sop_unknown", message, { thread_id: task_id }),
    { kind: "teaching" },
    { name: "teach", args: { ...offeredTo(contract), steps: [] }, description: message },
    ["edit"],
  );
}

/** Throws where the answer is not `teachable`. */
export const taughtBy = (answer: unknown, contract: TaskContract, context: PlanContext): Procedure =>
  teachingOf(contract, SopDefinition.parse(readEdit(answer, offeredTo(contract))), context).procedure;
