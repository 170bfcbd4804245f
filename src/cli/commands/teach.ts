// orch teach: sends steps from a file to a waiting task, or stores them as a candidate SOP.
import { z } from "zod";
import { teach as teachOperation } from "../../operations/shapes/sops.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { WaitOption } from "../option-values.ts";
import { inFile, readDocument } from "../read-file.ts";
import { candidateLines, warningLines } from "../show-sop.ts";
import { showTask } from "../wait-for-task.ts";

const Given = z.object({ file: z.string(), task: z.string().optional(), wait: WaitOption });

export const teach = command(Given, async (context, { file, task, wait }) => {
  const { call, out } = context;
  const lesson = await readDocument(context, file);
  const taught = await inFile(file, call(teachOperation, { ...lesson, ...(task !== undefined && { task_id: task }) }));
  const { task: view, sop, approval_id, warnings } = taught;
  for (const line of warningLines(warnings)) out.note(line);
  if (view !== null) return showTask(context, view, wait);
  out.answer(taught, () => (sop === null ? [] : candidateLines({ sop, approval_id }, out)));
  return EXIT.done;
});
