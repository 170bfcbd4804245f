// Finds the active SOP by intent and normalized target, exactly, and pins the task to that version (spec section 2, SOP
// key). A task that has been pinned or taught keeps its procedure whatever has become of the SOP since.

import { reason } from "../../src/domain/reason.ts";
import { targetSignature } from "../../src/domain/target.ts";
import { procedureOf } from "../../src/tasks/progress.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";

export const lookUpSop =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    if (procedureOf(journal.events) !== undefined) return { lookup: "known" };
    const signature = targetSignature(contract.target);
    const sop = await deps.store.findActiveSop(contract.intent, signature);
    if (sop === null) {
      const message = `No active SOP for ${contract.intent} on "${signature}".`;
      if (contract.delegation_mode === "teach_if_unknown") return { lookup: "teachable" };
      return { lookup: "unknown", reason: reason("sop_not_found", message) };
    }
    const { sop_id, version, steps, criteria, safety_level, preconditions } = sop;
    const body = { sop_id, sop_version: version, steps, criteria, safety_level, preconditions };
    journal.note({ kind: "sop_pinned", body });
    return { lookup: "known" };
  };
