// orch submit: a contract from a file, checked before it is sent.
import { z } from "zod";
import { getTask, submitTask } from "../../operations/shapes/tasks.ts";
import { command, fail } from "../context.ts";
import { followTask } from "../follow-task.ts";
import { WaitOption } from "../option-values.ts";
import { inFile, readDocument } from "../read-file.ts";
import { showTask } from "../wait-for-task.ts";

const Given = z.object({ file: z.string(), wait: WaitOption, follow: z.boolean().default(false) });

export const submit = command(Given, async (context, { file, wait, follow }) => {
  const contract = await readDocument(context, file);
  if (!contract.ok) return fail(context, contract.failure);
  // Asked first: the answer to a contract that is known is that of its task, as if it were new.
  const known = await context.call(getTask, { task_id: contract.value["task_id"] });
  const view = inFile(file, await context.call(submitTask, contract.value));
  if (!view.ok) return fail(context, view.failure);
  if (known.ok) context.out.note("orch: this contract was submitted before: it is the same task, and is not run again");
  return follow ? followTask(context, view.value.task_id) : showTask(context, view.value, wait);
});
