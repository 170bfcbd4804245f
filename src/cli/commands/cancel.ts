// orch cancel: cancels a task.
import { z } from "zod";
import { cancelTask } from "../../operations/shapes/tasks.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { taskLines } from "../show-task.ts";

const Given = z.object({ id: z.string(), reason: z.string().optional() });

export const cancel = command(Given, async (context, { id, reason }) => {
  const { call, out } = context;
  const view = await call(cancelTask, { task_id: id, reason });
  out.answer(view, () => taskLines(view, out));
  return EXIT.done;
});
