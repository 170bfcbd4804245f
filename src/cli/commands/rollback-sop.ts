// orch sop rollback: a new version with the steps of an earlier one.
import { z } from "zod";
import { rollbackSop } from "../../operations/shapes/sop-proofs.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { findSopId } from "../find-sop.ts";
import { rollbackLines } from "../show-set-back.ts";
import { candidateLines, warningLines } from "../show-sop.ts";

export const rollbackSopTo = command(z.object({ id: z.string() }), async (context, { id }) => {
  const { call, out } = context;
  const sop_id = await findSopId(context, id);
  const result = await call(rollbackSop, { sop_id });
  const { rollback, warnings } = result;
  for (const line of warningLines(warnings)) out.note(line);
  out.answer(result, () => [...candidateLines(result, out), ...rollbackLines(rollback, out)]);
  return EXIT.done;
});
