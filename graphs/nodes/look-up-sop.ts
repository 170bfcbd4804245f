// Finds the active SOP by intent and normalized target [2.key.exact] and pins the task to that version. A task that is
// pinned or was taught keeps its procedure when the SOP changes.

import { reason } from "../../src/domain/outcome.ts";
import { targetSignature } from "../../src/domain/target.ts";
import { activeSop, noActiveSop } from "../../src/tasks/active-sop.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";

export const lookUpSop =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    if (journal.projection.procedure !== null) return { lookup: "known" };
    const key = { intent: contract.intent, target_signature: targetSignature(contract.target) };
    const sop = await activeSop(deps.store, key);
    if (sop === null) {
      if (contract.delegation_mode === "teach_if_unknown") return { lookup: "teachable" };
      return { lookup: "unknown", reason: reason("sop_not_found", await noActiveSop(deps.store, key)) };
    }
    if ("reason_code" in sop) return { lookup: "unknown", reason: sop };
    const { sop_id, version, steps, criteria, safety_level, preconditions, trial_left } = sop;
    const on_trial = trial_left > 0 && ({ on_trial: true } as const);
    const body = { sop_id, sop_version: version, steps, criteria, safety_level, preconditions, ...on_trial };
    journal.note({ kind: "sop_pinned", body });
    return { lookup: "known" };
  };
