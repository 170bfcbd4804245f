// Runs the commands on tasks: orch tasks, task, cancel, resolve, graph.
import { z } from "zod";
import { getGraph } from "../../api/operations/shapes/graph.ts";
import { cancelTask, getTask, listTasks, resolveStep } from "../../api/operations/shapes/tasks.ts";
import { command } from "../context.ts";
import { EXIT } from "../failure.ts";
import { findSopId } from "../find-sop.ts";
import { followTask } from "../follow-task.ts";
import { allPages, showList } from "../lists.ts";
import { WaitOption } from "../option-values.ts";
import { taskLines, taskTable } from "../show-task.ts";
import { showTask } from "../wait-for-task.ts";

const Listed = z.object({
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

export const tasks = command(Listed, async (context, { all, find: q, target: target_signature, sop, ...given }) => {
  const sop_id = sop === undefined ? undefined : await findSopId(context, sop);
  const query = { ...given, q, target_signature, sop_id };
  const list = await allPages(all, "tasks", (after) => context.call(listTasks, { ...query, after }));
  return showList(context, list, "tasks", () => taskTable(list.tasks, context.clock(), context.out));
});

// orch task: shows one task now, after a wait, or event by event.

const Shown = z.object({ id: z.string(), wait: WaitOption, follow: z.boolean().default(false) });

export const task = command(Shown, async (context, { id, wait, follow }) => {
  if (follow) return followTask(context, id);
  const view = await context.call(getTask, { task_id: id });
  const exit = await showTask(context, view, wait);
  return wait === undefined ? EXIT.done : exit;
});

// orch cancel: cancels a task.

const Cancelled = z.object({ id: z.string(), reason: z.string().optional() });

export const cancel = command(Cancelled, async (context, { id, reason }) => {
  const { call, out } = context;
  const view = await call(cancelTask, { task_id: id, reason });
  out.answer(view, () => taskLines(view, out));
  return EXIT.done;
});

// orch resolve: reports the outcome of a step that orch could not record.

const Resolved = z.object({
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

export const resolve = command(Resolved, async (context, { id, resolution, step, reason, wait }) => {
  const view = await context.call(resolveStep, { task_id: id, resolution, index: step, reason });
  return showTask(context, view, wait);
});

// Runs orch graph: shows where a task is in the pipeline; without a task, the pipeline itself.

const Way = z.object({ id: z.string().optional() });

export const graph = command(Way, async ({ call, out }, { id }) => {
  const result = await call(getGraph, { task_id: id });
  const { place, edges } = result;
  out.answer(result, () => {
    if (place === null) return edges.map(({ source, target, answer }) => line(source, answer, target ?? "(end)"));
    const { way, current } = place;
    if (current !== null) return [`now in ${current}`];
    return way.length === 0 ? ["not begun"] : [...way.map(({ node }) => node), "over"];
  });
  return EXIT.done;
});

const line = (node: string, answer: string | null, target: string): string =>
  [node, ...(answer === null ? [] : [answer]), target].join("  ");
