// orch run: submits a contract that is written on the command line.
import { z } from "zod";
import { submitTask } from "../../operations/shapes/tasks.ts";
import { command } from "../context.ts";
import { ContractWords, contractFromWords } from "../contract-from-words.ts";
import { followTask } from "../follow-task.ts";
import { WaitOption } from "../option-values.ts";
import { showTask } from "../wait-for-task.ts";

const Given = ContractWords.extend({ wait: WaitOption, follow: z.boolean().default(false) });

export const run = command(Given, async (context, { wait, follow, ...words }) => {
  const contract = contractFromWords(context, words);
  const view = await context.call(submitTask, contract);
  return follow ? followTask(context, view.task_id) : showTask(context, view, wait);
});
