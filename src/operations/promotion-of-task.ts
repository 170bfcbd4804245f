// Finds the open promotion of a task: its candidate, and the approval that asks for it.
import { isAsked } from "../domain/approval.ts";
import { call, type NextAction } from "../domain/next-action.ts";
import { isSetBack, type Sop } from "../domain/sop.ts";
import type { Task } from "../domain/task.ts";
import { promotionThread } from "../domain/thread-id.ts";
import type { Store } from "../ports.ts";
import { type Projection, projection } from "../tasks/projection.ts";
import type { OperationDeps } from "./deps.ts";
import { askedBy } from "./wait.ts";

type Deps = Pick<OperationDeps, "store">;
type Waiting = Pick<OperationDeps, "store" | "nextReport">;

/** `approval_id` is null until the checks of the version have been looked at. */
type OpenPromotion = {
  readonly thread_id: string;
  readonly sop_id: string;
  readonly version: Sop["version"];
  readonly is_set_back: boolean;
  /** Why it asks, as a clause. */
  readonly asks: string;
  readonly approval_id: string | null;
};

/** Returns null if the task left no candidate, or if its candidate is settled. A first run without a proof also leaves a candidate. */
export async function openPromotion({ store }: Deps, state: Projection): Promise<OpenPromotion | null> {
  const leavesOne = state.is_taught || state.agent.finished !== null || state.procedure?.on_trial === true;
  const stored = leavesOne ? state.versions.changes.findLast(({ status }) => status === "candidate") : undefined;
  const sop = stored === undefined ? null : await store.findSop(stored.sop_id);
  return sop === null || sop.status !== "candidate" ? null : promotionOf(store, sop);
}

/** The same, once its approval can be decided on. */
export async function setBackAsked(deps: Waiting, task: Task, signal: AbortSignal): Promise<void> {
  const open = await setBackOfTask(deps, task);
  if (open !== null && open.approval_id === null) await askedBy(deps, open.thread_id, signal);
}

/** Null unless the version that the task ran was set back, for which this task may be a reason. */
export async function setBackOfTask(
  { store }: Deps,
  { sop_id, status, verification }: Pick<Task, "sop_id" | "status" | "verification">,
): Promise<OpenPromotion | null> {
  const isReason = status === "failed" || verification !== null;
  const sop = sop_id !== null && isReason ? await store.findSop(sop_id) : null;
  return sop !== null && isSetBack(sop) ? promotionOf(store, sop) : null;
}

async function promotionOf(store: Store, sop: Sop): Promise<OpenPromotion> {
  const { sop_id, version, promotion_round } = sop;
  const thread_id = promotionThread(sop_id, promotion_round);
  const [asked] = await store.listApprovals({ thread_id, status: "pending", limit: 1 });
  const approval_id = asked !== undefined && isAsked(asked) ? asked.approval_id : null;
  const lost = asked !== undefined && "set_back" in asked.content && asked.content.set_back !== undefined;
  const is_set_back = isSetBack(sop);
  const asks = !is_set_back ? FIRST : lost || asked === undefined ? AGAIN : KEPT;
  return { thread_id, sop_id, version, is_set_back, asks, approval_id };
}

const FIRST = "asks for its promotion";
const AGAIN = "was set back, and asks to be used again";
const KEPT = "passed its first run without a proof, and asks to be kept";

/** The same, once its approval waits for the decision; the wait is a few seconds at most. */
export async function promotionAsked(
  deps: Waiting,
  task_id: string,
  signal: AbortSignal,
): Promise<OpenPromotion | null> {
  const promotion = await openPromotion(deps, projection(await deps.store.readJournal(task_id)));
  if (promotion === null || promotion.approval_id !== null) return promotion;
  const approval = await askedBy(deps, promotion.thread_id, signal);
  return { ...promotion, approval_id: approval?.approval_id ?? null };
}

/** What the supervisor may do about it, first of all. */
export function promotionActions({ thread_id, version, approval_id, is_set_back, asks }: OpenPromotion): NextAction[] {
  const read = call(
    "list_approvals",
    { thread_id },
    approval_id === null
      ? `Version ${version} will ask for its promotion as soon as its checks have been looked at: then read the approval here.`
      : `Read what the ${is_set_back ? "approval" : "promotion"} of version ${version} covers.`,
  );
  const decide = (id: string) =>
    call(
      "approve",
      { approval_id: id },
      `Version ${version} ${asks}: show the approval to a human and pass on the decision. Until then no other task runs it.`,
    );
  return approval_id === null ? [read] : [decide(approval_id), read];
}
