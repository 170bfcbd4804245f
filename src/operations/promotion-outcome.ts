// Says whether a version is in use after a decision on its promotion, and refuses a decision on an approval that is out of date.
import type { z } from "zod";
import type { Approval, ProcedureContent } from "../domain/approval.ts";
import { OrchError } from "../domain/errors.ts";
import type { Sop } from "../domain/sop.ts";
import { promotionThread } from "../domain/thread-id.ts";
import { projection } from "../tasks/projection.ts";
import { isOutdated } from "../tasks/sop-versions.ts";
import type { OperationDeps } from "./deps.ts";
import type { PromotionOutcome } from "./shapes/approvals.ts";
import { lookUntil, PREPARATION_SECONDS } from "./wait.ts";

type Waiting = Pick<OperationDeps, "store" | "nextReport">;
type Deps = Waiting & Pick<OperationDeps, "promotions">;
type Promotion = Approval & { readonly content: ProcedureContent & { readonly sop_id: string } };

export const isPromotion = (approval: Approval): approval is Promotion =>
  approval.kind === "promotion" && "sop_id" in approval.content && approval.content.sop_id !== null;

/** Where another version is in use than the approval names, the version asks again, and the caller is given that approval. */
export async function refuseOutdated(deps: Deps, approval: Promotion, signal: AbortSignal): Promise<void> {
  const { status, content } = approval;
  const isOld = status === "superseded" || (status === "pending" && (await isOutdated(deps.store, approval)));
  if (!isOld || !isAsking(await deps.store.findSop(content.sop_id), approval)) return;
  deps.promotions.dispatch(content.sop_id, { kind: "recover" });
  throw await staleError(deps, approval, await whenSettled(deps, approval, signal));
}

/** Whether the version still waits on the thread of the approval. */
const isAsking = (sop: Sop | null, { thread_id }: Approval): boolean =>
  sop?.status === "candidate" && promotionThread(sop.sop_id, sop.promotion_round) === thread_id;

type Settled = { readonly sop: Sop | null; readonly again: Approval | null };

/** Once the version is in use or is not, or asks again. The wait is a few seconds at most. */
function whenSettled(deps: Waiting, approval: Promotion, signal: AbortSignal): Promise<Settled> {
  const { thread_id, content, approval_id } = approval;
  return lookUntil<Settled>(
    {
      next: (ms, until) => deps.nextReport(thread_id, ms, until),
      look: async () => {
        const sop = await deps.store.findSop(content.sop_id);
        const pending = await deps.store.listApprovals({ thread_id, status: "pending", limit: 10 });
        const again = pending.find((one) => one.approval_id !== approval_id && one.interrupt_id !== null) ?? null;
        return { sop, again };
      },
      isEnough: ({ sop, again }) => again !== null || !isAsking(sop, approval),
    },
    { wait_seconds: PREPARATION_SECONDS, signal },
  );
}

async function staleError({ store }: Waiting, approval: Promotion, { sop, again }: Settled): Promise<OrchError> {
  const { intent, target_signature, sop_version, replaces = null } = approval.content;
  const active = await store.findActiveSop(intent, target_signature);
  const before = replaces === null ? "no version was in use" : `version ${replaces} was in use`;
  const now = active === null ? "no version is" : `version ${active.version} is`;
  return new OrchError(
    "approval_stale",
    `Version ${sop_version} is not in use: when this approval was requested, ${before}; now ${now}.`,
    { fix: fixFor(sop, approval, again), current: again ?? approval },
  );
}

function fixFor(sop: Sop | null, approval: Promotion, again: Approval | null): string {
  if (again !== null)
    return `Read approval ${again.approval_id}, which compares it with the version in use; decide on that one.`;
  return isAsking(sop, approval)
    ? "It asks again in a moment: read list_inbox."
    : "Teach its steps again, if they are to be used after all.";
}

/** After a decision was recorded. */
export async function promotionOutcome(
  deps: Waiting,
  approval: Promotion,
  signal: AbortSignal,
): Promise<z.infer<typeof PromotionOutcome>> {
  const settled = await whenSettled(deps, approval, signal);
  const { sop, again } = settled;
  const { sop_id, sop_version } = approval.content;
  const version = sop?.version ?? sop_version ?? 0;
  const answer = (in_use: boolean, message: string) => ({ sop_id, version, in_use, message });
  if (sop?.status === "active") return answer(true, inUse(sop));
  if (approval.decision?.decision !== "approve")
    return answer(false, `Version ${version} is not in use, because its approval was rejected.`);
  // The same decision again, on a promotion of some time ago.
  const { reported } = projection(await deps.store.readJournal(approval.thread_id));
  if (reported?.reason_code === "promoted")
    return answer(false, `Version ${version} came into use with this approval, and is not in use any more.`);
  if (isAsking(sop, approval) && again === null)
    return answer(false, `Version ${version} is not in use yet: orch is still carrying out the decision.`);
  throw await staleError(deps, approval, settled);
}

const inUse = ({ version, trial_left }: Sop): string =>
  trial_left > 0
    ? `Version ${version} is in use now. Its first run asks for an approval.`
    : `Version ${version} is in use now.`;
