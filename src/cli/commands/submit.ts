// orch submit: submits a contract from a file.

import { z } from "zod";
import { getTask, submitTask } from "../../operations/shapes/tasks.ts";
import { command } from "../context.ts";
import { tried } from "../failure.ts";
import { followTask } from "../follow-task.ts";
import { WaitOption } from "../option-values.ts";
import { inFile, readDocument } from "../read-file.ts";
import { showTask } from "../wait-for-task.ts";

const Given = z.object({ file: z.string(), wait: WaitOption, follow: z.boolean().default(false) });

export const submit = command(Given, async (context, { file, wait, follow }) => {
  const contract = await readDocument(context, file);
  // Read first: the answer to a repeated contract does not say that its task is older.
  const known = await tried(context.call(getTask, { task_id: contract["task_id"] }));
  const view = await inFile(file, context.call(submitTask, contract));
  if (known.ok) context.out.note("orch: this contract was submitted before; its task does not run again");
  return follow ? followTask(context, view.task_id) : showTask(context, view, wait);
});
