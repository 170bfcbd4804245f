// Runs orch prove: shows what is known of an SOP on its target, without running a step that changes something.
import { z } from "zod";
import { command } from "../../cli/context.ts";
import { EXIT } from "../../cli/failure.ts";
import { findSopId } from "../../cli/find-sop.ts";
import { findingLines } from "../../cli/show-approval.ts";
import { proofLines } from "../../cli/show-proof.ts";
import { painted } from "../../cli/text-format.ts";
import { printable } from "../../domain/printable.ts";
import { proveSop } from "./shapes.ts";

export const prove = command(z.object({ id: z.string() }), async (context, { id }) => {
  const { call, out } = context;
  const sop_id = await findSopId(context, id);
  const result = await call(proveSop, { sop_id });
  const { sop, proof, findings } = result;
  const on = sop.target_signature === "" ? "" : ` on ${sop.target_signature}`;
  const about = printable(`${sop.intent}${on}, version ${sop.version}`);
  out.answer(result, () => [
    `${out.paint("bold", sop.sop_id)}  ${painted(out.paint, sop.status)}  ${about}`,
    ...proofLines(proof, out),
    ...findings.flatMap((finding) => [`  step ${finding.step_index}`, ...findingLines([finding], out)]),
  ]);
  return EXIT.done;
});
