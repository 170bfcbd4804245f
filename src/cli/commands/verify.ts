// orch verify: records the supervisor's external check of a finished task [8.verification].
import { z } from "zod";
import { recordVerification } from "../../operations/shapes/tasks.ts";
import { command, fail } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { usage } from "../failure.ts";
import { taskLines } from "../show-task.ts";

const Given = z.object({
  id: z.string(),
  verified: z.boolean().default(false),
  notVerified: z.boolean().default(false),
  source: z.string().optional(),
  note: z.string().optional(),
});

export const verify = command(Given, async (context, { id, verified, notVerified, source, note }) => {
  const { call, out } = context;
  if (verified === notVerified) return fail(context, usage("Give either --verified or --not-verified."));
  if (source === undefined) return fail(context, usage("Name with --source what was checked."));
  const view = await call(recordVerification, { task_id: id, verified, source, note });
  if (!view.ok) return fail(context, view.failure);
  out.answer(view.value, () => taskLines(view.value, out));
  return EXIT.done;
});
