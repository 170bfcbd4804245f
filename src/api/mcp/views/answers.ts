// A task in an answer: what may be done next once, and of a long procedure the steps that matter. What a change answers: the task
// once, and of a procedure or an approval that the caller has just sent or shown only what is new.
import { z } from "zod";
import { OutcomeView } from "../../../domain/outcome.ts";
import type { Sop } from "../../../domain/sop.ts";
import { approve } from "../../../features/approvals/shapes.ts";
import { copySop, exportSop, importSop, proposeSop, rollbackSop, teach } from "../../../features/procedures/shapes.ts";
import { proveSop } from "../../../features/proof/shapes.ts";
import { TaskView } from "../../operations/shapes/task-view.ts";
import { MAX_TOKENS, tokensOf } from "../fit-answer.ts";
import { SopRow, sopRow } from "./lists.ts";
import { Cut, viewOf, withCutMark } from "./view.ts";

const MAX_STEPS = 40;
const MAX_COMMAND = 300;

export const ShortTask = TaskView.extend({
  outcome: OutcomeView.omit({ next: true }).nullable(),
  steps_left_out: z.int().optional().describe("steps that passed or have not started"),
});
type ShortTask = z.infer<typeof ShortTask>;

function shortTask({ outcome, steps, ...task }: TaskView): ShortTask {
  const shown = mattering(steps);
  return {
    ...task,
    outcome: outcome === null ? null : withoutNext(outcome),
    steps: shown.map((step) => ({ ...step, command: withCutMark(step.command, MAX_COMMAND) })),
    ...(shown.length < steps.length && { steps_left_out: steps.length - shown.length }),
  };
}

const withoutNext = <T extends { readonly next: unknown }>({ next: _next, ...rest }: T) => rest;

/** In their order: first those that went wrong or are running, then as many others as there is room for. */
function mattering(steps: TaskView["steps"]): TaskView["steps"] {
  const isUsual = ({ status }: TaskView["steps"][number]) => status === "passed" || status === "pending";
  const unusual = steps.filter((step) => !isUsual(step)).slice(0, MAX_STEPS);
  const usual = steps.filter(isUsual).slice(0, MAX_STEPS - unusual.length);
  const shown = new Set([...unusual, ...usual]);
  return steps.filter((step) => shown.has(step));
}

export const taskView = viewOf(TaskView, { output: ShortTask, show: shortTask });

export const teachView = viewOf(teach.output, {
  output: teach.output.extend({ task: ShortTask.nullable(), sop: SopRow.nullable() }),
  show: ({ task, sop, ...rest }) => ({ ...rest, task: task && shortTask(task), sop: sop && sopRow(sop) }),
});

export const approveView = viewOf(approve.output, {
  output: approve.output.omit({ content: true }).extend({ task: ShortTask.omit({ next: true }).nullable() }),
  show: ({ content: _content, task, ...rest }) => ({ ...rest, task: task && withoutNext(shortTask(task)) }),
});

/** The procedure as a row, and everything else as it is. */
const withRow = <T extends { readonly sop: Sop }>(output: z.ZodObject & z.ZodType<T>) =>
  viewOf(output, {
    output: output.extend({ sop: SopRow }),
    show: ({ sop, ...rest }) => ({ ...rest, sop: sopRow(sop) }),
  });

export const importView = withRow(importSop.output);
export const copyView = withRow(copySop.output);
export const rollbackView = withRow(rollbackSop.output);
export const proveView = withRow(proveSop.output);

export const proposeView = viewOf(proposeSop.output, {
  output: proposeSop.output.omit({ file: true }).extend({ cut: Cut }),
  show: ({ file: _file, ...rest }) => ({ ...rest, cut: ['the draft as a file for import_sop: view "full"'] }),
});

/** A part of a file could be imported again as a procedure. */
export const exportView = viewOf(exportSop.output, {
  output: z.strictObject({ file: z.string().nullable(), cut: Cut }),
  show: ({ file }) =>
    tokensOf(file) < MAX_TOKENS
      ? { file }
      : { file: null, cut: [`the file has ${file.length} characters: view "full"`] },
});
