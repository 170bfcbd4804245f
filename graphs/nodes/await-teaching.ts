// Rule 1: an unknown SOP in mode teach_if_unknown asks the supervisor for the steps. `teach` writes them to the journal;
// only an inbox that answers the interrupt itself brings them along.
import { interrupt } from "@langchain/langgraph";
import type { TaskContract } from "../../src/domain/contract.ts";
import { OrchError } from "../../src/domain/errors.ts";
import { outcome } from "../../src/domain/outcome.ts";
import { procedureOf } from "../../src/domain/progress.ts";
import { SopDefinition } from "../../src/domain/sop.ts";
import { targetSignature } from "../../src/domain/target.ts";
import { teachingOf } from "../../src/domain/teaching.ts";
import { question, readEdit } from "../human-in-the-loop.ts";
import type { Facts, Pipeline } from "../state.ts";
import type { PipelineDeps } from "./pipeline-deps.ts";

export const awaitTeaching =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    if (procedureOf(journal.events) !== undefined) return {};
    const answer = interrupt(teachingQuestion(contract));
    const { procedure, issues } = teachingOf(contract, SopDefinition.parse(readEdit(answer)), deps);
    if (issues.length > 0) throw new OrchError("sop_steps_invalid", "these steps cannot be taught", { issues });
    await journal.commit([{ kind: "taught", body: procedure }]);
    return {};
  };

const named = (criteria: readonly string[]): string =>
  criteria.length === 0 ? "what it is to achieve" : criteria.map((criterion) => `"${criterion}"`).join(", ");

function teachingQuestion({ task_id, intent, target, success_criteria }: TaskContract) {
  const message = `No active SOP for ${intent} on "${targetSignature(target)}". Teach one with a check step for ${named(success_criteria)}.`;
  return question(
    outcome("need_input", "sop_unknown", message),
    { kind: "teaching" },
    { name: "teach", args: { task_id, intent, target, success_criteria, steps: [] }, description: message },
    ["edit"],
  );
}
