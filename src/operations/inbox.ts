// list_inbox: what waits for the supervisor, of all tasks and promotions, in one list.
import { type Approval, isAsked, WAITS_FOR } from "../domain/approval.ts";
import { nextByReason } from "../domain/next-action.ts";
import { outcomeOf } from "../domain/outcome.ts";
import type { Task } from "../domain/task.ts";
import type { OperationHandler } from "./operation.ts";
import type { InboxItem, listInbox } from "./shapes/inbox.ts";

/** Of each kind, newest tasks and oldest approvals. */
const MOST = 500;

export const handleListInbox: OperationHandler<typeof listInbox> =
  ({ store, quarantined }) =>
  async ({ limit }) => {
    const [approvals, tasks] = await Promise.all([
      store.listApprovals({ status: "pending", limit: MOST }),
      store.listTasks({ status: "need_input", limit: MOST }),
    ]);
    const all = [...approvals.filter(isAsked).map(ofApproval), ...tasks.flatMap(ofTask)];
    const items = all.toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since)).slice(0, limit);
    const more = items.length < all.length || approvals.length === MOST || tasks.length === MOST;
    return { items, more, quarantined: [...quarantined()] };
  };

function ofApproval({ kind, thread_id, approval_id, content, reason, created_at, expires_at }: Approval): InboxItem {
  const { intent, target_signature } = content;
  const next = nextByReason(WAITS_FOR[kind], { thread_id, approval_id, step_index: null });
  return { kind, thread_id, approval_id, intent, target_signature, text: reason, since: created_at, expires_at, next };
}

function ofTask(task: Task): InboxItem[] {
  const { task_id, intent, target_signature, waiting, updated_at } = task;
  const outcome = outcomeOf(task);
  if (waiting === null || waiting.kind === "approval" || outcome === null) return [];
  return [
    {
      ...{ kind: waiting.kind, thread_id: task_id, approval_id: null, intent, target_signature },
      ...{ text: outcome.message, since: updated_at, expires_at: null, next: outcome.next },
    },
  ];
}
