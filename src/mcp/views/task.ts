// A task in an answer over MCP: what may be done next once, and of a long procedure the steps that matter.
import { z } from "zod";
import { OutcomeView } from "../../domain/outcome.ts";
import { TaskView } from "../../operations/shapes/task-view.ts";
import { viewOf, withCutMark } from "./view.ts";

const MAX_STEPS = 40;
const MAX_COMMAND = 300;

export const ShortTask = TaskView.extend({
  outcome: OutcomeView.omit({ next: true }).nullable(),
  steps_left_out: z.int().optional().describe("steps that passed or have not started"),
});
type ShortTask = z.infer<typeof ShortTask>;

export function shortTask({ outcome, steps, ...task }: TaskView): ShortTask {
  const shown = mattering(steps);
  return {
    ...task,
    outcome: outcome === null ? null : withoutNext(outcome),
    steps: shown.map((step) => ({ ...step, command: withCutMark(step.command, MAX_COMMAND) })),
    ...(shown.length < steps.length && { steps_left_out: steps.length - shown.length }),
  };
}

const withoutNext = ({ next: _next, ...outcome }: OutcomeView) => outcome;

/** In their order: first those that went wrong or are running, then as many others as there is room for. */
function mattering(steps: TaskView["steps"]): TaskView["steps"] {
  const isUsual = ({ status }: TaskView["steps"][number]) => status === "passed" || status === "pending";
  const unusual = steps.filter((step) => !isUsual(step)).slice(0, MAX_STEPS);
  const usual = steps.filter(isUsual).slice(0, MAX_STEPS - unusual.length);
  const shown = new Set([...unusual, ...usual]);
  return steps.filter((step) => shown.has(step));
}

export const taskView = viewOf(TaskView, { output: ShortTask, show: shortTask });
