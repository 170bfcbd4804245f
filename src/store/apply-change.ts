// Writes one change of a row, if what it expects holds.
import { Approval } from "../domain/approval.ts";
import type { Change } from "../domain/change.ts";
import { canRead } from "../domain/journal-level.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { TaskScore } from "../domain/scorecard/task-score.ts";
import { Sop, type SopMoves } from "../domain/sop.ts";
import { Task, Waiting } from "../domain/task.ts";
import { writeFeature } from "../features/rows.ts";
import { archiveTask, DELETE_SCORES } from "./archived.ts";
import { rowOf } from "./columns.ts";
import {
  type Applied,
  deleteRows,
  findRow,
  holdTarget,
  insertRow,
  made,
  rewritten,
  updateRows,
  upsertRow,
} from "./row-statements.ts";
import { isWhole, sumAfter, withSum } from "./row-sum.ts";
import type { Sql } from "./sql-connection.ts";

/** Resolves to false when the expectation of the change does not hold, or when the row that it makes exists. */
export function applyChange(change: Change, sql: Sql, at: string): Promise<Applied> {
  switch (change.on) {
    case "task_created":
      return made(sql, insertRow("task", withSum(rowOf(Task, change.task))));
    case "task":
      return changeTask(change, sql, at);
    case "task_level":
      return raiseLevel(change, sql);
    case "target_held":
      return sql.run(holdTarget(change, at)).then((count) => count > 0);
    case "target_freed":
      return sql.run(deleteRows("target_hold", { task_id: change.task_id })).then(() => true);
    case "sop_created":
      return made(sql, insertRow("sop", withSum(rowOf(Sop, change.sop))));
    case "sop":
      return changeSop(sql, { sop_id: change.sop_id, ...change.expect }, () => ({ ...change.set, updated_at: at }));
    case "sop_counted": {
      const { sop_id, passed, proved } = change;
      return changeSop(sql, { sop_id }, ({ success_count, failure_count }) => ({
        ...(passed ? { success_count: success_count + 1, last_success_at: at } : { failure_count: failure_count + 1 }),
        ...(proved && { level: "proved" }),
        updated_at: at,
      }));
    }
    case "check_look": {
      const { kind, digest, body, looked_at } = change.look;
      const row = withSum({ kind, digest, body: canonicalJson(body), looked_at });
      return made(sql, upsertRow("check_look", ["kind", "digest"], row));
    }
    case "task_archived":
      return archiveTask(change.archived, sql);
    case "delivered":
      return made(
        sql,
        upsertRow("delivery", ["receiver"], withSum({ receiver: change.receiver, cursor: change.cursor })),
      );
    case "task_scored":
      return made(sql, upsertRow("task_score", ["task_id"], withSum(rowOf(TaskScore, change.score))));
    case "scores_deleted":
      return made(sql, DELETE_SCORES);
    case "duty_done":
      return changeDuty(change, sql);
    case "approval_created":
      return made(sql, insertRow("approval", withSum(rowOf(Approval, change.approval))));
    case "approval":
      return changeApproval(change, sql);
    default:
      return writeFeature(change, sql, at);
  }
}

type TaskChange = Extract<Change, { on: "task" }>;

/** Compares the interrupt id with what the task waits for. */
async function changeTask({ task_id, expect, set }: TaskChange, sql: Sql, at: string): Promise<Applied> {
  const row = await findRow(sql, "task", { task_id });
  if (row === null) return false;
  if (expect.status !== "any" && !expect.status.some((expected) => expected === row.status)) return false;
  if (expect.owner !== undefined && !expect.owner.includes(row.owner)) return false;
  if (expect.readable_at !== undefined && !canRead(expect.readable_at, row.needs_level)) return false;
  const { status, waiting, row_sum } = row;
  const { interrupt_id } = expect;
  if (interrupt_id !== undefined && (waiting === null || interruptIn(waiting) !== interrupt_id)) return false;
  const data = rowOf(Task, { updated_at: at, ...set });
  const summed = { ...data, row_sum: sumAfter(row, { task_id, ...data }) };
  return rewritten(sql, updateRows("task", summed, { task_id, status, row_sum }));
}

async function raiseLevel({ task_id, level }: Extract<Change, { on: "task_level" }>, sql: Sql): Promise<Applied> {
  const row = await findRow(sql, "task", { task_id });
  if (row === null || (row.needs_level ?? 0) >= level) return true;
  const set = { needs_level: level };
  return rewritten(sql, updateRows("task", { ...set, row_sum: sumAfter(row, set) }, { task_id, row_sum: row.row_sum }));
}

const interruptIn = (waiting: string): string => Waiting.parse(JSON.parse(waiting)).interrupt_id;

type SopWhere = { readonly sop_id: string } & Partial<Pick<Sop, "status" | "trial_left" | "promotion_round">>;
type SopCounts = Pick<Sop, "success_count" | "failure_count">;
type SopData = Partial<SopCounts & SopMoves & Pick<Sop, "updated_at" | "last_success_at">>;

async function changeSop(sql: Sql, where: SopWhere, change: (row: SopCounts) => SopData): Promise<Applied> {
  const { sop_id, ...expected } = where;
  const row = await findRow(sql, "sop", { sop_id });
  if (row === null) return false;
  const { status = row.status, trial_left = row.trial_left, promotion_round = row.promotion_round } = expected;
  if (status !== row.status || trial_left !== row.trial_left || promotion_round !== row.promotion_round) return false;
  const data = change(row);
  const summed = { ...data, row_sum: sumAfter(row, data) };
  return rewritten(sql, updateRows("sop", summed, { ...where, row_sum: row.row_sum }));
}

type ApprovalChange = Extract<Change, { on: "approval" }>;

async function changeApproval({ approval_id, set }: ApprovalChange, sql: Sql): Promise<Applied> {
  const status = "pending";
  const row = await findRow(sql, "approval", { approval_id });
  if (row?.status !== status) return false;
  const data = rowOf(Approval, set);
  const summed = { ...data, row_sum: sumAfter(row, data) };
  return rewritten(sql, updateRows("approval", summed, { approval_id, status, row_sum: row.row_sum }));
}

type DutyChange = Extract<Change, { on: "duty_done" }>;

/** A damaged row counts as none, as for who reads it. */
async function changeDuty({ name, cursor, expect }: DutyChange, sql: Sql): Promise<Applied> {
  const done = withSum({ name, cursor });
  if (expect === undefined) return made(sql, upsertRow("duty", ["name"], done));
  const row = await findRow(sql, "duty", { name });
  if ((row === null || !isWhole(row) ? 0 : row.cursor) !== expect) return false;
  return row === null
    ? made(sql, insertRow("duty", done))
    : rewritten(sql, updateRows("duty", done, { name, row_sum: row.row_sum }));
}
