// orch sop copy: a candidate of an active SOP for another target.
import { z } from "zod";
import { printable } from "../../domain/printable.ts";
import { copySop } from "../../operations/shapes/sop-proofs.ts";
import { command, fail } from "../context.ts";
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
  if (!other.ok) return fail(context, other.failure);
  const sop_id = await findSopId(context, id);
  if (!sop_id.ok) return fail(context, sop_id.failure);
  const input = { sop_id: sop_id.value, target: other.value, with_parameters: parameters };
  const result = await call(copySop, input);
  if (!result.ok) return fail(context, result.failure);
  const { literals, warnings } = result.value;
  for (const { step_index, key, value } of literals)
    out.note(`step ${step_index} still names ${printable(JSON.stringify(value))}, the ${printable(key)} of the source`);
  for (const line of warningLines(warnings)) out.note(line);
  out.answer(result.value, () => candidateLines(result.value, out));
  return EXIT.done;
});
