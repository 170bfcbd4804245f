// Holds the nodes with which a task begins: who handles it, from the contract alone, and by which procedure. Scope is judged with the
// plan, in check_policy.
import { interrupt } from "@langchain/langgraph";
import { z } from "zod";
import type { TaskContract } from "../../src/domain/contract.ts";
import { outcome, reason } from "../../src/domain/outcome.ts";
import { SopDefinition } from "../../src/domain/sop.ts";
import { targetSignature } from "../../src/domain/target.ts";
import type { PlanContext } from "../../src/policy/judge-plan.ts";
import { activeSop, noActiveSop } from "../../src/tasks/active-sop.ts";
import { obstacleTo } from "../../src/tasks/admission.ts";
import { question, readEdit } from "../../src/tasks/human-in-the-loop.ts";
import { pinnedTo, planContextOf } from "../../src/tasks/plan.ts";
import { hasStarted } from "../../src/tasks/progress.ts";
import { teachingOf } from "../../src/tasks/teaching.ts";
import { assertHasContract, type Facts, type Pipeline, type PipelineDeps } from "../state.ts";

export const admit =
  (deps: PipelineDeps) =>
  async (state: Pipeline): Promise<Facts> => {
    assertHasContract(state);
    const { contract } = state;
    if (contract.intent === "update_sop") return { path: "update_sop" };
    const { journal } = await deps.threadOf(contract.task_id);
    if (contract.delegation_mode === "agent") {
      const isUnderWay = journal.projection.agent.turns.length > 0;
      const obstacle = isUnderWay ? null : await obstacleTo(deps, contract);
      return obstacle === null ? { path: "agent" } : { path: "unavailable", reason: obstacle };
    }
    const hasSteps = journal.projection.skill.steps.length > 0;
    const isSkills = deps.skillOf(contract.intent) !== null || hasSteps;
    const obstacle = await obstacleTo(deps, isSkills ? contract : pinnedTo(contract, journal.projection));
    if (hasSteps || (isSkills && obstacle === null)) return { path: "skill" };
    // A task that has begun runs to its end, or is asked about.
    return obstacle === null || hasStarted(journal.projection)
      ? { path: "sop" }
      : { path: "unavailable", reason: obstacle };
  };

/**
 * Finds the active SOP by intent and normalized target [2.key.exact] and pins the task to that version. A task that is pinned or was
 * taught keeps its procedure when the SOP changes.
 */
export const lookUpSop =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    if (journal.projection.procedure !== null) return { lookup: "known" };
    const key = { intent: contract.intent, target_signature: targetSignature(contract.target) };
    const sop = await activeSop(deps.store, key);
    if (sop === null) {
      if (contract.delegation_mode === "teach_if_unknown") return { lookup: "teachable" };
      return { lookup: "unknown", reason: reason("sop_not_found", await noActiveSop(deps.store, key)) };
    }
    if ("reason_code" in sop) return { lookup: "unknown", reason: sop };
    const { sop_id, version, steps, criteria, safety_level, preconditions, trial_left } = sop;
    const on_trial = trial_left > 0 && ({ on_trial: true } as const);
    const body = { sop_id, sop_version: version, steps, criteria, safety_level, preconditions, ...on_trial };
    journal.note({ kind: "sop_pinned", body });
    return { lookup: "known" };
  };

/**
 * [3.rule.1] An unknown SOP in mode teach_if_unknown asks the supervisor for the steps. `teach` writes them to the journal; only an
 * inbox that answers the interrupt itself brings them along.
 */
export const awaitTeaching =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    if (journal.projection.procedure !== null) return {};
    // An answer that does not fit is refused: the run fails with what is wrong, and the question stays open.
    const context = planContextOf(deps, pinnedTo(contract, journal.projection));
    const { intent, target } = contract;
    const none = await noActiveSop(deps.store, { intent, target_signature: targetSignature(target) });
    const answer: unknown = interrupt(teachingQuestion(contract, none), {
      responseSchema: teachable(contract, context),
    });
    const { procedure } = teachingOf(contract, SopDefinition.parse(readEdit(answer, offeredTo(contract))), context);
    await journal.commit([{ kind: "taught", body: procedure }]);
    return {};
  };

const named = (criteria: readonly string[]): string =>
  criteria.length === 0 ? "what it is to achieve" : criteria.map((criterion) => `"${criterion}"`).join(", ");

const teachable = (contract: TaskContract, context: PlanContext) =>
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

function teachingQuestion(contract: TaskContract, none: string) {
  const { task_id, success_criteria } = contract;
  const message = `${none} Teach one with a check step for ${named(success_criteria)}.`;
  return question(
    outcome("need_input", "sop_unknown", message, { thread_id: task_id }),
    { kind: "teaching" },
    { name: "teach", args: { ...offeredTo(contract), steps: [] }, description: message },
    ["edit"],
  );
}
