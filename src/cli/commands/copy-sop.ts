// orch sop copy: a candidate of an active SOP for another target.
import { z } from "zod";
import { printable } from "../../domain/printable.ts";
import { copySop } from "../../operations/shapes/sop-proofs.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { findSopId } from "../find-sop.ts";
import { candidateLines, warningLines } from "../show-sop.ts";
import { targetOf } from "../target-option.ts";

const Given = z.object({
  id: z.string(),
  target: z.array(z.string()).min(1, "is missing: give --target key=value for each attribute"),
  parameters: z.boolean().default(false),
});

export const copySopFor = command(Given, async (context, { id, target, parameters }) => {
  const { call, out } = context;
  const other = targetOf(target);
  const sop_id = await findSopId(context, id);
  const input = { sop_id, target: other, with_parameters: parameters };
  const result = await call(copySop, input);
  const { literals, warnings } = result;
  for (const { step_index, key, value } of literals)
    out.note(`step ${step_index} still names ${printable(JSON.stringify(value))}, the ${printable(key)} of the source`);
  for (const line of warningLines(warnings)) out.note(line);
  out.answer(result, () => candidateLines(result, out));
  return EXIT.done;
});
