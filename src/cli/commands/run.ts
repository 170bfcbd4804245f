// orch run: submits a contract that is written on the command line.
import { z } from "zod";
import { submitTask } from "../../operations/shapes/tasks.ts";
import { command, fail } from "../context.ts";
import { ContractWords, contractFromWords } from "../contract-from-words.ts";
import { followTask } from "../follow-task.ts";
import { WaitOption } from "../option-values.ts";
import { showTask } from "../wait-for-task.ts";

const Given = ContractWords.extend({ wait: WaitOption, follow: z.boolean().default(false) });

export const run = command(Given, async (context, { wait, follow, ...words }) => {
  const contract = contractFromWords(context, words);
  if (!contract.ok) return fail(context, contract.failure);
  const view = await context.call(submitTask, contract.value);
  if (!view.ok) return fail(context, view.failure);
  return follow ? followTask(context, view.value.task_id) : showTask(context, view.value, wait);
});
