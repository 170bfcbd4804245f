// Writes one change of a row, if what it expects holds.
import { Approval } from "../domain/approval.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { Sop } from "../domain/sop.ts";
import { Task, Waiting } from "../domain/task.ts";
import type { Change } from "../ports.ts";
import { rowOf } from "./columns.ts";
import { kindOf } from "./fault.ts";
import type { Session } from "./session.ts";

/** Resolves to false when the expectation of the change does not hold, or when the row that it makes exists. */
export function applyChange(
  change: Change,
  { task, sop, approval, checkLook, delivery }: Session,
  at: string,
): Promise<boolean> {
  switch (change.on) {
    case "task_created":
      return created(task.create({ data: rowOf(Task, change.task), select: { task_id: true } }));
    case "task":
      return changeTask(change, task, at);
    case "sop_created":
      return created(sop.create({ data: rowOf(Sop, change.sop), select: { sop_id: true } }));
    case "sop": {
      const { sop_id, expect, set } = change;
      return holds(sop.updateMany({ where: { sop_id, ...expect }, data: { ...set, updated_at: at } }));
    }
    case "sop_counted": {
      const { sop_id, passed, proved } = change;
      const one = { increment: 1 };
      const counted = passed ? { success_count: one, last_success_at: at } : { failure_count: one };
      const data = { ...counted, ...(proved && { level: "proved" }), updated_at: at };
      return holds(sop.updateMany({ where: { sop_id }, data }));
    }
    case "check_look": {
      const { kind, digest, body, looked_at } = change.look;
      const update = { body: canonicalJson(body), looked_at };
      const where = { kind_digest: { kind, digest } };
      return created(
        checkLook.upsert({ where, create: { kind, digest, ...update }, update, select: { digest: true } }),
      );
    }
    case "delivered": {
      const { receiver, cursor } = change;
      const record = { where: { receiver }, create: { receiver, cursor }, update: { cursor } };
      return created(delivery.upsert({ ...record, select: { cursor: true } }));
    }
    case "approval_created":
      return created(approval.create({ data: rowOf(Approval, change.approval), select: { approval_id: true } }));
    case "approval": {
      const { approval_id, set } = change;
      return holds(approval.updateMany({ where: { approval_id, status: "pending" }, data: rowOf(Approval, set) }));
    }
  }
}

type TaskChange = Extract<Change, { on: "task" }>;

/** Compares the interrupt id with what the task waits for; the update then expects exactly that text. */
async function changeTask({ task_id, expect, set }: TaskChange, task: Session["task"], at: string): Promise<boolean> {
  const where = { task_id, status: { in: [...expect.status] } };
  const data = rowOf(Task, { updated_at: at, ...set });
  if (expect.interrupt_id === undefined) return holds(task.updateMany({ where, data }));
  const { waiting = null } = (await task.findUnique({ where: { task_id }, select: { waiting: true } })) ?? {};
  if (waiting === null || Waiting.parse(JSON.parse(waiting)).interrupt_id !== expect.interrupt_id) return false;
  return holds(task.updateMany({ where: { ...where, waiting }, data }));
}

const created = (write: Promise<unknown>): Promise<boolean> => holds(write.then(() => ({ count: 1 })));

/** A unique index refuses a write when its id or version exists, or when another SOP of the key is active. */
async function holds(write: Promise<{ count: number }>): Promise<boolean> {
  try {
    return (await write).count > 0;
  } catch (error) {
    if (kindOf(error) === "UniqueConstraintViolation") return false;
    throw error;
  }
}
