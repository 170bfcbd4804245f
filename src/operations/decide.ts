// Settles an approval by compare-and-set and carries its thread on. The first decision wins; the same again changes
// nothing; a different one, or one that comes too late, is answered with the row as it is (design: approvals).
import type { Approval, Decision } from "../domain/approval.ts";
import { OrchError } from "../domain/errors.ts";
import type { Change } from "../ports.ts";
import type { OperationDeps } from "./deps.ts";
import { taskOf } from "./task-view.ts";

type Deps = Pick<OperationDeps, "store" | "clock" | "dispatcher" | "promotions">;

export async function decide(deps: Deps, approval: Approval, decision: Decision): Promise<Approval> {
  if (approval.status === "pending" && approval.expires_at <= deps.clock().toISOString()) {
    return refuse(await expire(deps, approval));
  }
  const status = decision.decision === "approve" ? "approved" : "rejected";
  if (approval.status === "pending" && (await settle(deps, approval, { ...decision, status }))) {
    return current(deps, approval);
  }
  const now = await current(deps, approval);
  return now.status === status ? now : refuse(now);
}

/** Expiry means rejected. */
export async function expire(deps: Deps, approval: Approval): Promise<Approval> {
  const decision = { decision: "reject", reason: "expired", decided_by: null, token_id: null } as const;
  await settle(deps, approval, { ...decision, status: "expired" });
  return current(deps, approval);
}

type Settlement = Decision & { readonly status: "approved" | "rejected" | "expired" };

async function settle(deps: Deps, approval: Approval, { status, ...decision }: Settlement): Promise<boolean> {
  const { approval_id, thread_id, interrupt_id, kind } = approval;
  if (interrupt_id === null) {
    throw new OrchError(
      "approval_not_pending",
      `Approval ${approval_id} is still being prepared; ask again in a moment.`,
    );
  }
  const set = { status, decision, decided_at: deps.clock().toISOString() };
  const changes: Change[] = [{ on: "approval", approval_id, set }];
  if (kind !== "promotion") {
    const expect = { status: ["need_approval"], interrupt_id } as const;
    const goOn = { status: "running", waiting: null, outcome: null } as const;
    changes.push({ on: "task", task_id: thread_id, expect, set: goOn });
  }
  const events = [{ kind: "approval_decided", body: { ...decision, approval_id, status } }] as const;
  const result = await deps.store.commit({ thread_id, after: "last", events, changes });
  if (result.ok) await carryOn(deps, approval, interrupt_id);
  return result.ok;
}

async function carryOn(deps: Deps, { kind, thread_id, content }: Approval, interrupt_id: string): Promise<void> {
  if (kind !== "promotion") deps.dispatcher.take(await taskOf(deps, thread_id), { as: "answered", interrupt_id });
  else if ("steps" in content && content.sop_id !== null)
    deps.promotions.take(content.sop_id, { as: "answered", interrupt_id });
}

async function current({ store }: Deps, { approval_id }: Approval): Promise<Approval> {
  const approval = await store.findApproval(approval_id);
  if (approval === null) throw new OrchError("approval_not_found", `There is no approval ${approval_id}.`);
  return approval;
}

function refuse(approval: Approval): never {
  throw new OrchError("approval_not_pending", `Approval ${approval.approval_id} is ${approval.status} already.`, {
    current: approval,
  });
}
