// One change of a commit, inside its transaction. Each resolves to false when what it expects does not hold; the commit is
// then rolled back as a whole.
import { z } from "zod";
import { Approval } from "../domain/approval.ts";
import { Sop } from "../domain/sop.ts";
import { Task, Waiting } from "../domain/task.ts";
import type { Change } from "../ports.ts";
import type { Database, Session } from "./database.ts";
import { kindOf } from "./fault.ts";
import { rowOf } from "./rows.ts";
import { type Condition, countFailure, countSuccess, insert, type Statement, update, waitingOf } from "./sql.ts";

type TaskChange = Extract<Change, { on: "task" }>;
export type Applying = { readonly database: Database; readonly session: Session; readonly at: string };

export function applyChange(change: Change, applying: Applying): Promise<boolean> {
  const { at } = applying;
  switch (change.on) {
    case "task_created":
      return unlessTaken(insert("task", [rowOf(Task, change.task)]), applying);
    case "task":
      return changeTask(change, applying);
    case "sop_created":
      return unlessTaken(insert("sop", [rowOf(Sop, change.sop)]), applying);
    case "sop": {
      const { sop_id, expect, status } = change;
      return unlessTaken(
        update("sop", { status, updated_at: at }, [is("sop_id", sop_id), is("status", expect)]),
        applying,
      );
    }
    case "sop_counted":
      return affected((change.passed ? countSuccess : countFailure)(change.sop_id, at), applying);
    case "approval_created":
      return unlessTaken(insert("approval", [rowOf(Approval, change.approval)]), applying);
    case "approval": {
      const where = [is("approval_id", change.approval_id), is("status", "pending")];
      return affected(update("approval", rowOf(Approval, change.set), where), applying);
    }
  }
}

const is = (column: string, value: string): Condition => ({ column, among: [value] });

/** An interrupt id is compared by reading what the task waits for; the update then expects that very text. */
async function changeTask({ task_id, expect, set }: TaskChange, applying: Applying): Promise<boolean> {
  const where = [is("task_id", task_id), { column: "status", among: expect.status }];
  if (expect.interrupt_id !== undefined) {
    const waiting = await waitingText(task_id, expect.interrupt_id, applying);
    if (waiting === null) return false;
    where.push(is("waiting", waiting));
  }
  return affected(update("task", rowOf(Task, { updated_at: applying.at, ...set }), where), applying);
}

const WaitingRows = z.array(z.object({ waiting: z.string().nullable() }));

/** Null when the task does not wait for this interrupt. */
async function waitingText(task_id: string, interrupt_id: string, { database, session }: Applying) {
  const [row] = WaitingRows.parse(await database.query(waitingOf(task_id), session));
  const waiting = row?.waiting ?? null;
  if (waiting === null) return null;
  return Waiting.parse(JSON.parse(waiting)).interrupt_id === interrupt_id ? waiting : null;
}

const affected = async (statement: Statement, { database, session }: Applying): Promise<boolean> =>
  (await database.execute(statement, session)) > 0;

/** The same where a unique index may object: the id is taken, or the version, or another SOP of the key is active. */
async function unlessTaken(statement: Statement, applying: Applying): Promise<boolean> {
  try {
    return await affected(statement, applying);
  } catch (error) {
    if (kindOf(error) === "UniqueConstraintViolation") return false;
    throw error;
  }
}
