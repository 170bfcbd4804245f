// orch submit: submits a contract from a file.
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
  // Read first: the answer to a repeated contract does not say that its task is older.
  const known = await context.call(getTask, { task_id: contract.value["task_id"] });
  const view = inFile(file, await context.call(submitTask, contract.value));
  if (!view.ok) return fail(context, view.failure);
  if (known.ok) context.out.note("orch: this contract was submitted before; its task does not run again");
  return follow ? followTask(context, view.value.task_id) : showTask(context, view.value, wait);
});
