// Whether what ran is what was approved: the digest of the approval, computed again from the procedure and the findings in
// the journal.
import { approvalDigest } from "../../domain/approval.ts";
import { planContent } from "../../tasks/plan.ts";
import type { JournalWalk } from "./walk.ts";

export function planFaults({ state, requests }: JournalWalk): string[] {
  const { accepted, procedure, findings, steps } = state;
  const request = requests.at(-1);
  if (accepted === null || procedure === null || request?.body.kind !== "plan" || steps.starts.length === 0) return [];
  const digest = approvalDigest(planContent(accepted.contract, procedure, findings));
  if (digest === request.body.digest) return [];
  return [`journal entry ${request.seq} asks for an approval of something else than what ran.`];
}
