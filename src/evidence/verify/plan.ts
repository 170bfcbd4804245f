// Whether what ran is what was approved: the digest of the approval, taken again of the procedure and the findings that the
// journal holds (spec section 5).

import { approvalDigest } from "../../domain/approval.ts";
import { type JournalEvent, lastOf } from "../../domain/journal.ts";
import { planContent } from "../../tasks/plan.ts";
import { procedureOf } from "../../tasks/progress.ts";

export function planFaults(journal: readonly JournalEvent[]): string[] {
  const accepted = lastOf(journal, "task_accepted");
  const procedure = procedureOf(journal);
  const request = journal.findLast((event) => event.kind === "approval_requested");
  const ran = journal.some((event) => event.kind === "step_started");
  if (accepted === undefined || procedure === undefined || request?.body.kind !== "plan" || !ran) return [];
  const findings = lastOf(journal, "policy_judged")?.findings ?? [];
  const digest = approvalDigest(planContent(accepted.contract, procedure, findings));
  if (digest === request.body.digest) return [];
  return [`journal entry ${request.seq} asks for an approval of something else than what ran.`];
}
