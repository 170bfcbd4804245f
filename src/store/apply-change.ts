// Writes one change of a row, if what it expects holds.
import { Approval } from "../domain/approval.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { Sop } from "../domain/sop.ts";
import { Task, Waiting } from "../domain/task.ts";
import type { Change } from "../ports.ts";
import { rowOf } from "./columns.ts";
import { kindOf } from "./fault.ts";
import { type Summed, sumAfter, withSum } from "./row-sum.ts";
import type { Session } from "./session.ts";

/** `raced`: the row was changed between the two statements. */
export type Applied = boolean | "raced";

/** Resolves to false when the expectation of the change does not hold, or when the row that it makes exists. */
export function applyChange(
  change: Change,
  { task, sop, approval, checkLook, delivery }: Session,
  at: string,
): Promise<Applied> {
  switch (change.on) {
    case "task_created":
      return created(task.create({ data: withSum(rowOf(Task, change.task)), select: { task_id: true } }));
    case "task":
      return changeTask(change, task, at);
    case "sop_created":
      return created(sop.create({ data: withSum(rowOf(Sop, change.sop)), select: { sop_id: true } }));
    case "sop":
      return changeSop(sop, { sop_id: change.sop_id, ...change.expect }, () => ({ ...change.set, updated_at: at }));
    case "sop_counted": {
      const { sop_id, passed, proved } = change;
      return changeSop(sop, { sop_id }, ({ success_count, failure_count }) => ({
        ...(passed ? { success_count: success_count + 1, last_success_at: at } : { failure_count: failure_count + 1 }),
        ...(proved && { level: "proved" }),
        updated_at: at,
      }));
    }
    case "check_look": {
      const { kind, digest, body, looked_at } = change.look;
      const create = withSum({ kind, digest, body: canonicalJson(body), looked_at });
      const where = { kind_digest: { kind, digest } };
      return created(checkLook.upsert({ where, create, update: create, select: { digest: true } }));
    }
    case "delivered": {
      const { receiver, cursor } = change;
      const create = withSum({ receiver, cursor });
      return created(delivery.upsert({ where: { receiver }, create, update: create, select: { cursor: true } }));
    }
    case "approval_created":
      return created(
        approval.create({ data: withSum(rowOf(Approval, change.approval)), select: { approval_id: true } }),
      );
    case "approval":
      return changeApproval(change, approval);
  }
}

type TaskChange = Extract<Change, { on: "task" }>;

/** Compares the interrupt id with what the task waits for. */
async function changeTask({ task_id, expect, set }: TaskChange, task: Session["task"], at: string): Promise<Applied> {
  const row = await task.findUnique({ where: { task_id } });
  if (row === null) return false;
  if (expect.status !== "any" && !expect.status.some((expected) => expected === row.status)) return false;
  const { status, waiting } = row;
  const { interrupt_id } = expect;
  if (interrupt_id !== undefined && (waiting === null || interruptIn(waiting) !== interrupt_id)) return false;
  const data = rowOf(Task, { updated_at: at, ...set });
  return rewritten(row, { task_id, ...data }, (held, row_sum) =>
    task.updateMany({ where: { task_id, status, ...held }, data: { ...data, row_sum } }),
  );
}

const interruptIn = (waiting: string): string => Waiting.parse(JSON.parse(waiting)).interrupt_id;

type SopWhere = { readonly sop_id: string; readonly status?: Sop["status"]; readonly trial_left?: number };
type SopCounts = Pick<Sop, "success_count" | "failure_count">;
type SopData = Partial<
  SopCounts & Pick<Sop, "status" | "level" | "trial_left" | "replaced_sop_id" | "updated_at" | "last_success_at">
>;

async function changeSop(sop: Session["sop"], where: SopWhere, change: (row: SopCounts) => SopData): Promise<Applied> {
  const { sop_id, status, trial_left } = where;
  const row = await sop.findUnique({ where: { sop_id } });
  if (row === null || (status ?? row.status) !== row.status || (trial_left ?? row.trial_left) !== row.trial_left)
    return false;
  const data = change(row);
  return rewritten(row, data, (held, row_sum) =>
    sop.updateMany({ where: { ...where, ...held }, data: { ...data, row_sum } }),
  );
}

type ApprovalChange = Extract<Change, { on: "approval" }>;

async function changeApproval({ approval_id, set }: ApprovalChange, approval: Session["approval"]): Promise<Applied> {
  const where = { approval_id, status: "pending" };
  const row = await approval.findUnique({ where: { approval_id } });
  if (row?.status !== where.status) return false;
  const data = rowOf(Approval, set);
  return rewritten(row, data, (held, row_sum) =>
    approval.updateMany({ where: { ...where, ...held }, data: { ...data, row_sum } }),
  );
}

type Update = (held: Summed, row_sum: string) => Promise<{ count: number }>;

/** The sum is over what was read, so the update expects the sum that was read with it. */
async function rewritten(row: Summed & object, set: object, update: Update): Promise<Applied> {
  const { row_sum } = row;
  return holds(update({ row_sum }, sumAfter(row, set)).then(({ count }) => (count > 0 ? true : "raced")));
}

const created = (write: Promise<unknown>): Promise<Applied> => holds(write.then(() => true));

/** A unique index refuses a write when its id or version exists, or when another SOP of the key is active. */
async function holds(write: Promise<Applied>): Promise<Applied> {
  try {
    return await write;
  } catch (error) {
    if (kindOf(error) === "UniqueConstraintViolation") return false;
    throw error;
  }
}
