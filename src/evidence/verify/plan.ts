// Checks that the steps that ran are the approved ones: computes the digest of the approval again from the procedure and the
// findings in the journal.
import { planDigests } from "../../tasks/plan.ts";
import type { JournalWalk } from "./walk.ts";

export function planFaults({ state, requests }: JournalWalk): string[] {
  const { accepted, procedure, findings, steps } = state;
  const request = requests.at(-1);
  if (accepted === null || procedure === null || request?.body.kind !== "plan" || steps.starts.length === 0) return [];
  if (planDigests(accepted.contract, state, findings).includes(request.body.digest)) return [];
  return [`journal entry ${request.seq} asks for the approval of other steps than those that ran.`];
}
