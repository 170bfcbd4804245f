// [3.update.2] [3.update.3] [3.update.4] The current SOP is deprecated, a candidate with the new steps is created and its
// promotion approval requested, in one commit. A payload that could never run changes nothing. [3.update.6] Approved: the
// candidate becomes active. Rejected or expired: the previous version is active again (D-020), because a refused edit must not
// remove a working procedure.
import type { TaskContract } from "../../src/domain/contract.ts";
import { reason } from "../../src/domain/outcome.ts";
import { formatOrigin, isOfUpdate, isSetBack, type Sop } from "../../src/domain/sop.ts";
import { type Replacement, replacementIn } from "../../src/engine/tasks/active-sop.ts";
import { approvalOfTask, requested } from "../../src/engine/tasks/approval-record.ts";
import { recorded } from "../../src/engine/tasks/plan.ts";
import type { Projection } from "../../src/engine/tasks/projection.ts";
import { gatherProof } from "../../src/engine/tasks/sop-proof.ts";
import {
  activation,
  newCandidate,
  replacementOf,
  restoration,
  sopChanged,
  steppedAside,
} from "../../src/engine/tasks/sop-versions.ts";
import type { Facts, Pipeline, PipelineDeps } from "../state.ts";

export const replaceSop =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const asked = journal.projection.approvals.last;
    if (asked !== null) return { replacement: "requested", approval_id: asked.approval_id };
    for (;;) {
      const plan = await replacementIn(deps, contract);
      if ("reason_code" in plan) return { replacement: "refused", reason: plan };
      if (deps.sop_promotion === "proved_only") return NOT_PROVED;
      const facts = await open(deps, contract, plan);
      // Otherwise another version of the key was stored in between.
      if (facts !== null) return facts;
    }
  };

/** A replacement has not run yet. */
const NOT_PROVED: Facts = {
  replacement: "refused",
  reason: reason("sop_not_proved", "SOP_PROMOTION lets only versions come into use that a run has proved."),
};

const CANCELLED: Facts = {
  replacement: "cancelled",
  reason: reason("cancelled", "The supervisor cancelled the task."),
};

/** Null when a version of the key has changed in the meantime. */
async function open(
  deps: PipelineDeps,
  contract: TaskContract,
  { current, target, procedure }: Replacement,
): Promise<Facts | null> {
  const { task_id } = contract;
  const { journal, cancel, leaving } = await deps.threadOf(task_id);
  const origin = { by: "update_sop", task_id } as const;
  const draft = { intent: current.intent, target, procedure, origin, run: null };
  const defined = await newCandidate(deps, draft);
  // Stryker disable next-line ConditionalExpression,StringLiteral,CallExpression: steps that are not proved are always stored
  if (defined === null) throw new Error("a candidate that is not proved is always created");
  const { proof, findings, outside } = await gatherProof(deps, defined, AbortSignal.any([cancel, leaving]));
  // What was broken off is no proof. Nothing is stored yet.
  if (leaving.aborted) return { replacement: "suspended" };
  if (cancel.aborted) return CANCELLED;
  // A trial that fails gives back what was in use, and a version that was set back was not.
  const candidate = { ...defined, level: proof.level, replaced_sop_id: isSetBack(current) ? null : current.sop_id };
  const { sop_id, version } = candidate;
  const content = { intent: candidate.intent, target_signature: candidate.target_signature, ...procedure, proof };
  const approval = approvalOfTask(deps, contract, "replacement", {
    ...content,
    sop_id,
    sop_version: version,
    replaces: current.version,
    findings: [...findings],
    ...recorded(outside),
    scripts: [...outside.scripts],
  });
  const why = formatOrigin(origin);
  const stepAside = steppedAside(current, why);
  const conflict = await journal.tryCommit(
    [
      ...stepAside.events,
      sopChanged(candidate, "candidate", why),
      { kind: "policy_judged", body: { findings: [...findings], ...recorded(outside) } },
      { kind: "sop_examined", body: proof },
      requested(approval),
    ],
    [...stepAside.changes, { on: "sop_created", sop: candidate }, { on: "approval_created", approval }],
  );
  if (conflict !== null) return null;
  return { replacement: "requested", approval_id: approval.approval_id };
}

export const settleReplacement =
  (deps: PipelineDeps) =>
  async ({ contract, decision }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const approved = decision === "approve";
    for (;;) {
      const { candidate, previous } = await replacementOf(deps.store, journal.projection);
      const { version, intent, target_signature } = candidate;
      const active = await deps.store.findActiveSop(intent, target_signature);
      if (!isOfUpdate(candidate)) {
        if (!approved) return {};
        return wasActivated(journal.projection, candidate)
          ? { reason: reason("sop_replaced", `Version ${version} of ${intent} is active.`) }
          : outdated(candidate, active);
      }
      const isApproved =
        approved && (active === null || active.version === (await replacedBy(deps, journal.projection)));
      const moves = isApproved
        ? await activation(deps.store, candidate, { at: deps.clock().toISOString(), previous })
        : await restoration(deps.store, candidate, previous);
      // Looks again: it is settled now, or another version of its key has just changed.
      await journal.tryCommit(moves.events, moves.changes);
    }
  };

const wasActivated = ({ versions }: Projection, { sop_id }: Sop): boolean =>
  versions.changes.some((change) => change.sop_id === sop_id && change.status === "active");

/** The version that the human was shown as the one in use. */
async function replacedBy({ store }: PipelineDeps, { approvals }: Projection): Promise<number | null> {
  const asked = approvals.last === null ? null : await store.findApproval(approvals.last.approval_id);
  return asked !== null && "replaces" in asked.content ? (asked.content.replaces ?? null) : null;
}

const outdated = ({ version, intent }: Sop, active: Sop | null): Facts => {
  const other = active === null ? "another version" : `version ${active.version}`;
  const message = `Version ${version} of ${intent} is not in use, because ${other} came into use after its approval was requested.`;
  return { decision: "reject", reason: reason("approval_stale", message) };
};
