// [3.rule.1] An unknown SOP in mode teach_if_unknown asks the supervisor for the steps. `teach` writes them to the journal;
// only an inbox that answers the interrupt itself brings them along.
import { interrupt } from "@langchain/langgraph";
import { z } from "zod";
import { type TaskContract, targetSignature } from "../../src/domain/contract.ts";
import { outcome } from "../../src/domain/outcome.ts";
import { SopDefinition } from "../../src/domain/sop.ts";
import type { PlanContext } from "../../src/policy/judge-plan.ts";
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
    const answer: unknown = interrupt(teachingQuestion(contract), { responseSchema: teachable(contract, context) });
    const { procedure } = teachingOf(contract, SopDefinition.parse(readEdit(answer)), context);
    await journal.commit([{ kind: "taught", body: procedure }]);
    return {};
  };

const named = (criteria: readonly string[]): string =>
  criteria.length === 0 ? "what it is to achieve" : criteria.map((criterion) => `"${criterion}"`).join(", ");

const teachable = (contract: TaskContract, context: PlanContext) =>
  z.unknown().superRefine((answer, refinement) => {
    const { data, error } = SopDefinition.safeParse(readEdit(answer));
    const issues = data === undefined ? [] : teachingOf(contract, data, context).issues;
    for (const { path, message } of error?.issues ?? []) refinement.addIssue({ code: "custom", path, message });
    for (const { path, message } of issues) refinement.addIssue({ code: "custom", path: path.split("."), message });
  });

function teachingQuestion({ task_id, intent, target, success_criteria }: TaskContract) {
  const message = `No active SOP for ${intent} on "${targetSignature(target)}". Teach one with a check step for ${named(success_criteria)}.`;
  return question(
    outcome("need_input", "sop_unknown", message, { thread_id: task_id }),
    { kind: "teaching" },
    { name: "teach", args: { task_id, intent, target, success_criteria, steps: [] }, description: message },
    ["edit"],
  );
}
