// The routing model's answers on approvals: does a command fall into a category that needs a human [4.gate.approval]? Each
// distinct command is asked about once per task. After the model has failed, the rest of the plan takes the fallback
// (D-029).
import type { AgentStep } from "../../domain/agent-events.ts";
import type { TaskContract } from "../../domain/contract.ts";
import type { Finding } from "../../domain/finding.ts";
import { APPROVAL_FALLBACK, ApprovalAnswer } from "../../domain/gate.ts";
import { commandText, environmentOf } from "../../domain/step-run.ts";
import type { Gate } from "../../ports.ts";
import type { Thread } from "./thread.ts";

type Question = { readonly command: string; readonly environment: Readonly<Record<string, string>> };

/** What the model is asked about: the step as it is sent, with what it can read of the contract. */
export const questionOn = (step: AgentStep, contract: TaskContract): Question => ({
  command: commandText(step),
  environment: environmentOf(step, contract),
});

/** Answers about a step as it is sent: from the journal when it was asked about before, else by the model. */
export function createAnswering(
  { gate }: { readonly gate: Gate },
  { journal, cancel }: Thread,
  contract: TaskContract,
) {
  const categories = contract.constraints.require_approval_for;
  let modelFailed = false;
  return async ({ command, environment }: Question): Promise<ApprovalAnswer> => {
    const before = journal.projection.gate.categories.get(command);
    if (before !== undefined) return asAnswer(before);
    if (modelFailed) return APPROVAL_FALLBACK;
    const reply = await gate.matchCategory({ command, environment, categories }, cancel);
    modelFailed = reply.fallback !== null;
    await journal.commit([{ kind: "gate_answered", body: { question: "approval", about: command, ...reply } }]);
    return reply.answer;
  };
}

// A fallback was journalled without a category; anything but a clean answer needs an approval.
function asAnswer(answer: unknown): ApprovalAnswer {
  const parsed = ApprovalAnswer.safeParse(answer);
  return parsed.success ? parsed.data : APPROVAL_FALLBACK;
}

/** Null where no approval is needed. */
export function categoryFinding(answer: ApprovalAnswer, step_index: number, command: string): Finding | null {
  if (!answer.requires_approval) return null;
  const category = "matched_category" in answer ? answer.matched_category : null;
  const code = category === null ? "category.undecided" : "category.matched";
  const reason =
    category === null
      ? "No usable answer of a routing model says that this needs no approval, so it does."
      : `Falls into "${category}", which the contract lists in require_approval_for.`;
  return { step_index, verdict: "ask", code, reason, command, category };
}
