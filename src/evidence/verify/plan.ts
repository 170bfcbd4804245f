// Checks that the steps that ran are the approved ones, and that the verdict follows from them: computes the digest of the approval
// again from the procedure and the findings in the journal, and the verdict from the results and the looks.
import { planDigests, verdictOn } from "../../tasks/plan.ts";
import { firstDifference } from "../readings.ts";
import type { JournalWalk } from "./walk.ts";

export function verdictFaults({ state }: JournalWalk): string[] {
  const { accepted, procedure, verdict } = state;
  if (accepted === null || procedure === null || verdict === null) return [];
  const path = firstDifference(verdict, verdictOn(accepted.contract, state));
  return path === null ? [] : [`the verdict does not follow from the steps: ${path || "it differs"}.`];
}

export function askedFaults({ state, requests }: JournalWalk): string[] {
  const { accepted, procedure, findings, steps } = state;
  const request = requests.at(-1);
  if (accepted === null || procedure === null || request?.body.kind !== "plan" || steps.starts.length === 0) return [];
  if (planDigests(accepted.contract, state, findings).includes(request.body.digest)) return [];
  return [`journal entry ${request.seq} asks for the approval of other steps than those that ran.`];
}
