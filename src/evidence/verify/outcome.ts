// Checks that what a task says of its checks follows from its verdict: that they passed, and what they are worth.
import { proofSummary } from "../../domain/proof.ts";
import type { ReasonCode } from "../../domain/reason-code.ts";
import { verdictOn } from "../../tasks/plan.ts";
import type { Projection } from "../../tasks/projection.ts";
import { firstDifference } from "../readings.ts";

/** Of a task that no check makes DONE. */
const DONE_WITHOUT_CHECKS: ReadonlySet<ReasonCode> = new Set(["skill_done", "sop_replaced"]);

export function outcomeFaults({ reported, verdict }: Projection): string[] {
  if (reported === null) return [];
  const isDone = reported.status === "ok" && !DONE_WITHOUT_CHECKS.has(reported.reason_code);
  const follows = isDone
    ? verdict?.passed === true && verdict.reason_code === reported.reason_code
    : verdict?.reason_code !== "already_done";
  const path =
    reported.proof === undefined ? null : firstDifference(reported.proof, proofSummary(verdict?.checks ?? []));
  return [
    ...(follows ? [] : ["the outcome does not follow from the verdict: reason_code."]),
    ...(path === null ? [] : [`outcome.proof does not follow from the verdict: ${path || "it differs"}.`]),
  ];
}

// Checks that the verdict follows from the steps that ran: computes it again from the results and the looks.

export function verdictFaults(state: Projection): string[] {
  const { accepted, procedure, verdict } = state;
  if (accepted === null || procedure === null || verdict === null) return [];
  const path = firstDifference(verdict, verdictOn(accepted.contract, state));
  return path === null ? [] : [`the verdict does not follow from the steps: ${path || "it differs"}.`];
}
