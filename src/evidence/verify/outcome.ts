// Checks that what a task says of its checks follows from its verdict: that it is done, done already, and what the checks are worth.
import { proofSummary } from "../../domain/proof.ts";
import { firstDifference } from "../first-difference.ts";
import type { JournalWalk } from "./walk.ts";

export function outcomeFaults({ state: { reported, verdict } }: JournalWalk): string[] {
  if (reported === null) return [];
  const [claimed, judged] = [reported.reason_code, verdict?.reason_code].map((code) => code === "already_done");
  const isDone = reported.status === "ok" && BY_VERDICT.has(reported.reason_code);
  const path =
    reported.proof === undefined ? null : firstDifference(reported.proof, proofSummary(verdict?.checks ?? []));
  return [
    ...(isDone && verdict?.passed !== true ? ["the task is reported as done without a verdict that passed."] : []),
    ...(claimed === judged ? [] : ["the reason_code and the verdict differ on whether the task was done already."]),
    ...(path === null ? [] : [`outcome.proof does not follow from the verdict: ${path || "it differs"}.`]),
  ];
}

/** How a task is done whose steps or calls were verified. A skill and a replacement have no verdict. */
const BY_VERDICT: ReadonlySet<string> = new Set(["verified", "already_done"]);
