// Checks that what a task says of its checks follows from its verdict: that it is done already, and what the checks are worth.
import { proofSummary } from "../../domain/proof.ts";
import { firstDifference } from "../first-difference.ts";
import type { JournalWalk } from "./walk.ts";

export function outcomeFaults({ state: { reported, verdict } }: JournalWalk): string[] {
  if (reported === null) return [];
  const [claimed, judged] = [reported.reason_code, verdict?.reason_code].map((code) => code === "already_done");
  const path =
    reported.proof === undefined ? null : firstDifference(reported.proof, proofSummary(verdict?.checks ?? []));
  return [
    ...(claimed === judged ? [] : ["the reason_code and the verdict differ on whether the task was done already."]),
    ...(path === null ? [] : [`outcome.proof does not follow from the verdict: ${path || "it differs"}.`]),
  ];
}
