// Applies one change of a commit inside its transaction. Each function resolves to false when the expectation does not hold;
// the caller then rolls the whole commit back.
import { z } from "zod";
import { Approval } from "../domain/approval.ts";
import { Sop } from "../domain/sop.ts";
import { Task, Waiting } from "../domain/task.ts";
import type { Change } from "../ports.ts";
import type { Database, SqlSession } from "./database.ts";
import { kindOf } from "./fault.ts";
import { rowOf } from "./rows.ts";
import { type Condition, countFailure, countSuccess, insert, type Statement, update, waitingOf } from "./sql.ts";

type TaskChange = Extract<Change, { on: "task" }>;
export type ChangeContext = { readonly database: Database; readonly session: SqlSession; readonly at: string };

export function applyChange(change: Change, context: ChangeContext): Promise<boolean> {
  const { at } = context;
  switch (change.on) {
    case "task_created":
      return unlessTaken(insert("task", [rowOf(Task, change.task)]), context);
    case "task":
      return changeTask(change, context);
    case "sop_created":
      return unlessTaken(insert("sop", [rowOf(Sop, change.sop)]), context);
    case "sop": {
      const { sop_id, expect, status } = change;
      return unlessTaken(
        update("sop", { status, updated_at: at }, [is("sop_id", sop_id), is("status", expect)]),
        context,
      );
    }
    case "sop_counted":
      return affected((change.passed ? countSuccess : countFailure)(change.sop_id, at), context);
    case "approval_created":
      return unlessTaken(insert("approval", [rowOf(Approval, change.approval)]), context);
    case "approval": {
      const where = [is("approval_id", change.approval_id), is("status", "pending")];
      return affected(update("approval", rowOf(Approval, change.set), where), context);
    }
  }
}

const is = (column: string, value: string): Condition => ({ column, among: [value] });

/** Compares the interrupt id with what the task waits for; the update then expects exactly that text. */
async function changeTask({ task_id, expect, set }: TaskChange, context: ChangeContext): Promise<boolean> {
  const where = [is("task_id", task_id), { column: "status", among: expect.status }];
  if (expect.interrupt_id !== undefined) {
    const waiting = await waitingText(task_id, expect.interrupt_id, context);
    if (waiting === null) return false;
    where.push(is("waiting", waiting));
  }
  return affected(update("task", rowOf(Task, { updated_at: context.at, ...set }), where), context);
}

const WaitingRows = z.array(z.object({ waiting: z.string().nullable() }));

/** Null when the task does not wait for this interrupt. */
async function waitingText(task_id: string, interrupt_id: string, { database, session }: ChangeContext) {
  const [row] = WaitingRows.parse(await database.query(waitingOf(task_id), session));
  const waiting = row?.waiting ?? null;
  if (waiting === null) return null;
  return Waiting.parse(JSON.parse(waiting)).interrupt_id === interrupt_id ? waiting : null;
}

const affected = async (statement: Statement, { database, session }: ChangeContext): Promise<boolean> =>
  (await database.execute(statement, session)) > 0;

/** For statements that violate a unique index when the id or version exists, or another SOP of the key is active. */
async function unlessTaken(statement: Statement, context: ChangeContext): Promise<boolean> {
  try {
    return await affected(statement, context);
  } catch (error) {
    if (kindOf(error) === "UniqueConstraintViolation") return false;
    throw error;
  }
}
