// The approval functions for skill handlers [4.skill.approval]. The request and the decision are in the journal: a handler that restarts does not ask
// again, and reads the recorded decision.
import { type Decided, refusalOf, SkillContent } from "../../domain/approval.ts";
import { signatureOf } from "../../domain/contract.ts";
import type { Json } from "../../domain/json.ts";
import type { SkillEnd } from "../../domain/skill.ts";
import type { SkillContext } from "../../ports.ts";

export type ApprovalRequest = {
  /** What is asked for, in a sentence. */
  readonly action: string;
  /** Everything that would be done, one line each and complete: a human reads every line. */
  readonly details: readonly string[];
  /** The same for programs. The decision is bound to this and to every line. */
  readonly data: { readonly [key: string]: Json };
};

/** Returns the approval's id. The same request within a task returns the same approval. */
export async function requestApproval(ctx: SkillContext, request: ApprovalRequest): Promise<string> {
  const { contract } = ctx;
  const about = { intent: contract.intent, target_signature: signatureOf(contract) };
  return ctx.approvals.request(SkillContent.parse({ ...about, ...request }));
}

/** Resolves with the decision. Until then the task waits in `need_approval` with nothing running, across restarts. */
export const waitForApproval = (ctx: SkillContext, approval_id: string): Promise<Decided> =>
  ctx.approvals.wait(approval_id);

/** The end of a handler whose request was not approved. */
export const notApproved = (decided: Decided): SkillEnd => ({ status: "blocked", ...refusalOf(decided) });
