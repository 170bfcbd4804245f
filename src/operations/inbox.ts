// list_inbox: what waits for the supervisor, of all tasks and promotions, in one list.
import { type Approval, isAsked, WAITS_FOR } from "../domain/approval.ts";
import { inRiskOrder } from "../domain/inbox-order.ts";
import { placeSentence } from "../domain/labels.ts";
import { nextByReason } from "../domain/next-action.ts";
import { outcomeOf } from "../domain/outcome.ts";
import type { Task, Waiting } from "../domain/task.ts";
import { owedSince, type UnverifiedTask } from "../domain/verification.ts";
import { type ApprovalChange, createApprovalChange } from "./approval-change.ts";
import type { OperationHandler } from "./operation.ts";
import type { InboxItem, listInbox } from "./shapes/inbox.ts";
import { createVerificationDebt } from "./verification-debt.ts";

/** Of each kind, newest tasks and oldest approvals. Tasks to teach, which may be many, take no place of the others (D-356). */
const MOST = 500;
const ANSWERED_BY_TASK = ["resolution", "parked", "teaching"] as const satisfies readonly Waiting["kind"][];

export const handleListInbox: OperationHandler<typeof listInbox> = (deps) => {
  const { store, clock, freezes, quarantined, answers } = deps;
  const changesOf = createApprovalChange(deps);
  const debtNow = createVerificationDebt({ store, clock }, MOST);
  const waitingFor = (waits_for: Waiting["kind"]) => store.listTasks({ status: "need_input", waits_for, limit: MOST });
  return async ({ limit }) => {
    const [approvals, debt, , ...tasks] = await Promise.all([
      store.listApprovals({ status: "pending", limit: MOST }),
      debtNow(),
      freezes.look(),
      ...ANSWERED_BY_TASK.map(waitingFor),
    ]);
    const open = approvals.filter(isAsked);
    const changes = await changesOf(open);
    const asked = open.map((approval, nth) => ofApproval(approval, changes[nth] ?? "cannot_tell"));
    const all = [...asked, ...tasks.flat().flatMap(ofTask), ...debt.tasks.flatMap(ofDebt)];
    const items = inRiskOrder(all, clock().getTime()).slice(0, limit);
    const more =
      items.length < all.length || approvals.length === MOST || tasks.some((page) => page.length === MOST) || debt.more;
    const notice = answers.notice();
    return {
      items,
      more,
      frozen: [...freezes.inForce()],
      quarantined: [...quarantined()],
      notices: notice === null ? [] : [notice],
    };
  };
};

function ofApproval(approval: Approval, change: ApprovalChange): InboxItem {
  const { kind, thread_id, approval_id, content, reason, created_at, expires_at } = approval;
  const { intent, target_signature } = content;
  const next = nextByReason(WAITS_FOR[kind], { thread_id, approval_id, step_index: null });
  const text = `${reason}${placeSentence(content.runs_on)}`;
  const risk: InboxItem["risk"] = "set_back" in content && content.set_back !== undefined ? "set_back" : change;
  const about = { kind, risk, thread_id, approval_id, intent, target_signature };
  return { ...about, text, since: created_at, expires_at, next };
}

function ofDebt({ task_id, intent, target_signature, ended_at, contract }: UnverifiedTask): InboxItem[] {
  const since = owedSince(contract, ended_at);
  if (since === null) return [];
  const text = `DONE since ${ended_at}, and nothing outside has verified it within ${contract.verify_within_hours} h.`;
  const next = nextByReason("verified", { thread_id: task_id, approval_id: null, step_index: null });
  const known = {
    kind: "verification",
    risk: "unverified",
    thread_id: task_id,
    approval_id: null,
    intent,
    target_signature,
  } as const;
  return [{ ...known, text, since, expires_at: null, next }];
}

function ofTask(task: Task): InboxItem[] {
  const { task_id, intent, target_signature, waiting, updated_at } = task;
  const outcome = outcomeOf(task);
  if (waiting === null || waiting.kind === "approval" || outcome === null) return [];
  return [
    {
      ...{ kind: waiting.kind, risk: waiting.kind === "teaching" ? "nothing_runs" : "outcome_unknown" },
      ...{ thread_id: task_id, approval_id: null, intent, target_signature },
      ...{ text: outcome.message, since: updated_at, expires_at: null, next: outcome.next },
    },
  ];
}
