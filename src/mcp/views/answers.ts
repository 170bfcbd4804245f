// What a change answers: the task once, and of a procedure or an approval that the caller has just sent or shown only what is new.
import { z } from "zod";
import type { Sop } from "../../domain/sop.ts";
import { approve } from "../../operations/shapes/approvals.ts";
import { copySop, proveSop, rollbackSop } from "../../operations/shapes/sop-proofs.ts";
import { exportSop, importSop, proposeSop, teach } from "../../operations/shapes/sops.ts";
import { MAX_TOKENS, tokensOf } from "../fit-answer.ts";
import { SopRow, sopRow } from "./lists.ts";
import { ShortTask, shortTask } from "./task.ts";
import { Cut, viewOf } from "./view.ts";

export const teachView = viewOf(teach.output, {
  output: teach.output.extend({ task: ShortTask.nullable(), sop: SopRow.nullable() }),
  show: ({ task, sop, ...rest }) => ({ ...rest, task: task && shortTask(task), sop: sop && sopRow(sop) }),
});

export const approveView = viewOf(approve.output, {
  output: approve.output.omit({ content: true }).extend({ task: ShortTask.omit({ next: true }).nullable() }),
  show: ({ content: _content, task, ...rest }) => ({ ...rest, task: task && withoutNext(shortTask(task)) }),
});

const withoutNext = ({ next: _next, ...task }: z.infer<typeof ShortTask>) => task;

/** The procedure as a row, and everything else as it is. */
const withRow = <T extends { readonly sop: Sop }>({ sop, ...rest }: T) => ({ ...rest, sop: sopRow(sop) });

export const importView = viewOf(importSop.output, {
  output: importSop.output.extend({ sop: SopRow }),
  show: withRow,
});

export const copyView = viewOf(copySop.output, {
  output: copySop.output.extend({ sop: SopRow }),
  show: withRow,
});

export const rollbackView = viewOf(rollbackSop.output, {
  output: rollbackSop.output.extend({ sop: SopRow }),
  show: withRow,
});

export const proveView = viewOf(proveSop.output, {
  output: proveSop.output.extend({ sop: SopRow }),
  show: withRow,
});

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
