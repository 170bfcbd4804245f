// orch task: shows one task now, after a wait, or event by event.
import { z } from "zod";
import { getTask } from "../../operations/shapes/tasks.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { followTask } from "../follow-task.ts";
import { WaitOption } from "../option-values.ts";
import { showTask } from "../wait-for-task.ts";

const Given = z.object({ id: z.string(), wait: WaitOption, follow: z.boolean().default(false) });

export const task = command(Given, async (context, { id, wait, follow }) => {
  if (follow) return followTask(context, id);
  const view = await context.call(getTask, { task_id: id });
  const exit = await showTask(context, view, wait);
  return wait === undefined ? EXIT.done : exit;
});
