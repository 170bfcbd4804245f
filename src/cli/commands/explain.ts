// orch explain: what would happen to a contract, and what policy sees in each step.
import { z } from "zod";
import { explain as explainOperation } from "../../operations/shapes/explain.ts";
import { command, fail } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { usage } from "../failure.ts";
import { inFile, readDocument } from "../read-file.ts";
import { explanationLines } from "../show-explanation.ts";
import { warningLines } from "../show-sop.ts";

const Given = z.object({ file: z.string(), steps: z.string().optional() });

export const explain = command(Given, async (context, { file, steps: stepsFile }) => {
  const { call, out } = context;
  const contract = await readDocument(context, file);
  if (!contract.ok) return fail(context, contract.failure);
  const lesson = stepsFile === undefined ? null : await readDocument(context, stepsFile);
  if (lesson !== null && !lesson.ok) return fail(context, lesson.failure);
  const { steps, safety_level } = lesson?.value ?? {};
  if (lesson !== null && steps === undefined) return fail(context, usage(`${stepsFile} has no field steps.`));
  const files = stepsFile === undefined ? file : `${file}, ${stepsFile}`;
  const explanation = inFile(files, await call(explainOperation, { contract: contract.value, steps, safety_level }));
  if (!explanation.ok) return fail(context, explanation.failure);
  for (const line of warningLines(explanation.value.warnings)) out.note(line);
  out.answer(explanation.value, () => explanationLines(explanation.value, out));
  return EXIT.done;
});
