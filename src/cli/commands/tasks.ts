// orch tasks: lists tasks.
import { z } from "zod";
import { listTasks } from "../../operations/shapes/tasks.ts";
import { allPages } from "../all-pages.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { findSopId } from "../find-sop.ts";
import { quarantineNotes } from "../show-quarantine.ts";
import { taskTable } from "../show-task.ts";

const Given = z.object({
  status: z.string().optional(),
  verified: z.string().optional(),
  since: z.string().optional(),
  intent: z.string().optional(),
  target: z.string().optional(),
  find: z.string().optional(),
  sop: z.string().optional(),
  limit: z.string().optional(),
  all: z.boolean().default(false),
});

export const tasks = command(Given, async (context, { all, find: q, target: target_signature, sop, ...given }) => {
  const { call, clock, out } = context;
  const sop_id = sop === undefined ? undefined : await findSopId(context, sop);
  const query = { ...given, q, target_signature, sop_id };
  const result = await allPages(
    all,
    (after) => call(listTasks, { ...query, after }),
    (older, newer) => ({ ...newer, tasks: [...older.tasks, ...newer.tasks] }),
  );
  out.answer(result, () => taskTable(result.tasks, clock(), out));
  for (const line of quarantineNotes(result.quarantined)) out.note(line);
  if (result.next_after !== null) out.note(`There are more: ${out.program} tasks --all`);
  return EXIT.done;
});
