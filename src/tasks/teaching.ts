// What steps need to be taught [4.teach]: a check step for each success criterion, and a plan that policy lets run for this
// contract.
import type { Target, TaskContract } from "../domain/contract.ts";
import { DEFAULT_MAX_MINUTES } from "../domain/duration.ts";
import type { FieldIssue } from "../domain/errors.ts";
import type { Finding } from "../domain/finding.ts";
import type { Procedure } from "../domain/journal.ts";
import { coverCriteria, type SopDefinition } from "../domain/sop.ts";
import type { Step } from "../domain/step.ts";
import { judgePlan, type PlanContext } from "../policy/judge-plan.ts";

export type Teaching = { readonly procedure: Procedure; readonly issues: readonly FieldIssue[] };

/** `issues` is empty when the definition can be taught to this contract. */
export function teachingOf(contract: TaskContract, definition: SopDefinition, context: PlanContext): Teaching {
  const { steps, safety_level, preconditions } = definition;
  const { criteria, issues } = coverCriteria(contract.success_criteria, steps, definition.criteria);
  const blocks = blocksOf(contract, steps, safety_level, context);
  return {
    procedure: { sop_id: null, sop_version: null, steps, criteria, safety_level, preconditions },
    issues: [...issues, ...blocks.map(asIssue)],
  };
}

/** The same for an SOP that is defined without a task: its map names the criteria, and no contract limits it yet. */
export function definitionOf(
  intent: string,
  target: Target,
  definition: SopDefinition,
  { home }: { home: string },
): Teaching {
  const { steps, safety_level, preconditions, criteria: map } = definition;
  const { criteria, issues } = coverCriteria(Object.keys(map ?? {}), steps, map);
  const context = { home, remote: false };
  const blocks = blocksOf(anyContract(intent, target), steps, safety_level, context).filter(
    ({ code }) => !code.startsWith("scope.") && code !== "parameter.unknown",
  );
  return {
    procedure: { sop_id: null, sop_version: null, steps, criteria, safety_level, preconditions },
    issues: [...issues, ...blocks.map(asIssue)],
  };
}

const anyContract = (intent: string, target: Target): TaskContract => ({
  task_id: "none",
  intent,
  target,
  delegation_mode: "known_only",
  constraints: { implicit_scope: [], require_approval_for: [], max_minutes: DEFAULT_MAX_MINUTES },
  success_criteria: [],
  requested_by: "none",
  requested_at: "1970-01-01T00:00:00Z",
  payload: {},
});

const blocksOf = (
  contract: TaskContract,
  steps: readonly Step[],
  safety_level: SopDefinition["safety_level"],
  context: PlanContext,
): Finding[] =>
  judgePlan({ contract, steps, safety_level, intent: contract.intent, context, proved: false }).filter(
    (finding) => finding.verdict === "block",
  );

export const asIssue = ({ step_index, code, reason }: Finding): FieldIssue => ({
  path: `steps.${step_index}`,
  message: `${code}: ${reason}`,
});
