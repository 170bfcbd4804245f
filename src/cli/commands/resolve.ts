// orch resolve: reports the outcome of a step that orch could not record.
import { z } from "zod";
import { resolveStep } from "../../operations/shapes/tasks.ts";
import { command } from "../context.ts";
import { WaitOption } from "../option-values.ts";
import { showTask } from "../wait-for-task.ts";

const Given = z.object({
  id: z.string(),
  resolution: z.string(),
  step: z
    .string()
    .regex(/^\d{1,6}$/, "must be the number of a step")
    .transform(Number)
    .optional(),
  reason: z.string().optional(),
  wait: WaitOption,
});

export const resolve = command(Given, async (context, { id, resolution, step, reason, wait }) => {
  const view = await context.call(resolveStep, { task_id: id, resolution, index: step, reason });
  return showTask(context, view, wait);
});
