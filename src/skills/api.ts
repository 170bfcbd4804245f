// How a skill handler asks a human. The request and the decision are in the journal: a handler that restarts does not ask
// again, and reads the recorded decision.
import { type Decided, refusalOf, SkillContent } from "../domain/approval.ts";
import { signatureOf } from "../domain/contract.ts";
import type { Json } from "../domain/json.ts";
import type { SkillEnd } from "../domain/skill.ts";
import type { SkillContext } from "../ports.ts";

export type ApprovalRequest = {
  /** What is asked for, in a sentence. */
  readonly action: string;
  /** Everything that would be done, a line each: a human reads them all, so none may be left out. */
  readonly details: readonly string[];
  /** The same for programs. The decision is bound to this and to every line. */
  readonly data: { readonly [key: string]: Json };
};

/** Gives the approval's id. The same request again within a task is the same approval. */
export async function requestApproval(ctx: SkillContext, request: ApprovalRequest): Promise<string> {
  const { contract } = ctx;
  const about = { intent: contract.intent, target_signature: signatureOf(contract) };
  return ctx.approvals.request(SkillContent.parse({ ...about, ...request }));
}

/** The decision. Until there is one the task waits in `need_approval`, with nothing running, over any number of restarts. */
export const waitForApproval = (ctx: SkillContext, approval_id: string): Promise<Decided> =>
  ctx.approvals.wait(approval_id);

/** The end of a handler whose request was not approved. */
export const notApproved = (decided: Decided): SkillEnd => ({ status: "blocked", ...refusalOf(decided) });
