// orch explain: what would happen to a contract, and what policy sees in each step.
import { z } from "zod";
import { explain as explainOperation } from "../../operations/shapes/explain.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { failed, usage } from "../failure.ts";
import { inFile, readDocument } from "../read-file.ts";
import { explanationLines } from "../show-explanation.ts";
import { warningLines } from "../show-sop.ts";

const Given = z.object({ file: z.string(), steps: z.string().optional() });

export const explain = command(Given, async (context, { file, steps: stepsFile }) => {
  const { call, out } = context;
  const contract = await readDocument(context, file);
  const lesson = stepsFile === undefined ? null : await readDocument(context, stepsFile);
  const { steps, safety_level } = lesson ?? {};
  if (lesson !== null && steps === undefined) return failed(usage(`${stepsFile} has no field steps.`));
  const files = stepsFile === undefined ? file : `${file}, ${stepsFile}`;
  const explanation = await inFile(files, call(explainOperation, { contract, steps, safety_level }));
  for (const line of warningLines(explanation.warnings)) out.note(line);
  out.answer(explanation, () => explanationLines(explanation, out));
  return EXIT.done;
});
