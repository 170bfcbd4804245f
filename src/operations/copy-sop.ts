// copy_sop: a candidate for another target, made of an active procedure. It is tried at most: a proof holds for one target (D-200).

import { OrchError } from "../domain/errors.ts";
import type { Sop } from "../domain/sop.ts";
import { type Target, targetSignature } from "../domain/target.ts";
import { parametrised } from "../features/procedures/parametrised-step.ts";
import { targetLiterals } from "../tasks/target-values.ts";
import type { OperationHandler } from "./operation.ts";
import type { copySop } from "./shapes/sop-proofs.ts";
import { sopOf } from "./sops.ts";
import { teachSop } from "./teach.ts";

export const handleCopySop: OperationHandler<typeof copySop> =
  (deps) =>
  async ({ sop_id, target, with_parameters }, { signal }) => {
    const source = await sopOf(deps, sop_id);
    refuseUnless(source, target);
    const steps = with_parameters ? await deps.judge(parametrised, source, deps.home) : source.steps;
    const { intent, safety_level, preconditions, level, target_signature, proved_on } = source;
    const criteria = Object.fromEntries(source.criteria.map(({ criterion, step_index }) => [criterion, step_index]));
    const definition = { steps, criteria, safety_level, preconditions };
    const taught = {
      intent,
      target,
      definition,
      origin: { by: "copy", sop_id } as const,
      proved_on: level === "proved" ? target_signature : proved_on,
    };
    const stored = await teachSop(deps, taught, signal);
    return { ...stored, literals: targetLiterals(steps, source.target, target) };
  };

function refuseUnless({ sop_id, status, target_signature, version }: Sop, target: Target): void {
  const refuse = (code: "sop_conflict" | "input_invalid", path: string, message: string): never => {
    throw new OrchError(code, `orch did not copy SOP ${sop_id}. ${path}: ${message}`, { issues: [{ path, message }] });
  };
  if (status !== "active")
    refuse("sop_conflict", "sop_id", `version ${version} is ${status}; copy the active version of its key`);
  if (targetSignature(target) === target_signature)
    refuse("input_invalid", "target", "is the target of the procedure itself; name another one");
}
