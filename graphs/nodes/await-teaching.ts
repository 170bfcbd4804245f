// [3.rule.1] An unknown SOP in mode teach_if_unknown asks the supervisor for the steps. `teach` writes them to the journal;
// only an inbox that answers the interrupt itself brings them along.
import { interrupt } from "@langchain/langgraph";
import { z } from "zod";
import type { TaskContract } from "../../src/domain/contract.ts";
import { outcome } from "../../src/domain/outcome.ts";
import { SopDefinition } from "../../src/domain/sop.ts";
import { targetSignature } from "../../src/domain/target.ts";
import type { PlanContext } from "../../src/policy/judge-plan.ts";
import { noActiveSop } from "../../src/tasks/active-sop.ts";
import { question, readEdit } from "../../src/tasks/human-in-the-loop.ts";
import { pinnedTo, planContextOf } from "../../src/tasks/plan.ts";
import { teachingOf } from "../../src/tasks/teaching.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";

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
