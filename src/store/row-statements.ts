// Statements on the rows of one table. The compiler checks their columns against the generated models.

import { kindOf } from "./fault.ts";
import type * as stored from "./generated/sqlite/client.ts";
import { KNOWN_COLUMNS, type Sql, type Statement, type Value } from "./sql.ts";

type Tables = {
  readonly task: stored.Task;
  readonly sop: stored.Sop;
  readonly approval: stored.Approval;
  readonly check_look: stored.CheckLook;
  readonly delivery: stored.Delivery;
  readonly task_score: stored.TaskScore;
  readonly duty: stored.Duty;
  readonly schedule: stored.Schedule;
  readonly work_freeze: stored.Freeze;
  readonly target_hold: stored.TargetHold;
  readonly archived: stored.Archived;
  readonly journal_event: stored.JournalEvent;
};
type Table = keyof Tables;
type Columns<T extends Table> = Readonly<Partial<Tables[T]>>;

export function insertRow<T extends Table>(table: T, row: Columns<T>): Statement {
  const columns = Object.keys(row);
  return {
    sql: `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    args: valuesOf(row),
  };
}

export function upsertRow<T extends Table>(
  table: T,
  key: readonly (keyof Tables[T] & string)[],
  row: Columns<T>,
): Statement {
  const { sql, args } = insertRow(table, row);
  const set = Object.keys(row).map((column) => `${column} = excluded.${column}`);
  return { sql: `${sql} ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${set.join(", ")}`, args };
}

/** Changes nothing where another task has the target; one that has it keeps it. */
export const holdTarget = (
  { target_signature, task_id }: Omit<stored.TargetHold, "since">,
  since: string,
): Statement => {
  const insert = insertRow("target_hold", { target_signature, task_id, since });
  const isIts = "target_hold.task_id = excluded.task_id";
  const kept = "DO UPDATE SET task_id = excluded.task_id";
  return { ...insert, sql: `${insert.sql} ON CONFLICT (target_signature) ${kept} WHERE ${isIts}` };
};

export const updateRows = <T extends Table>(table: T, set: Columns<T>, where: Columns<T>): Statement => ({
  sql: `UPDATE ${table} SET ${placed(set, ", ")} WHERE ${placed(where, " AND ")}`,
  args: [...valuesOf(set), ...valuesOf(where)],
});

export const deleteRows = <T extends Table>(table: T, where: Columns<T>): Statement => ({
  sql: `DELETE FROM ${table} WHERE ${placed(where, " AND ")}`,
  args: valuesOf(where),
});

/** The status is written out: a bound one would be looked at for the index of active SOPs, and the statement compiled again (D-405). */
export async function findActiveSop(
  sql: Sql,
  key: Pick<stored.Sop, "intent" | "target_signature">,
): Promise<stored.Sop | null> {
  const where = `intent = ? AND target_signature = ? AND status = 'active'`;
  const args = [key.intent, key.target_signature];
  const [row] = await sql.rows<stored.Sop>({ sql: `SELECT ${KNOWN_COLUMNS.sop} FROM sop WHERE ${where}`, args });
  return row ?? null;
}

/** A value of the wrong type in a column of SQLite passes here; the schema of the record refuses it. */
export async function findRow<T extends Table>(sql: Sql, table: T, where: Columns<T>): Promise<Tables[T] | null> {
  const sql_text = `SELECT ${KNOWN_COLUMNS[table]} FROM ${table} WHERE ${placed(where, " AND ")} LIMIT 1`;
  const [row] = await sql.rows<Tables[T]>({ sql: sql_text, args: valuesOf(where) });
  return row ?? null;
}

const placed = (columns: object, between: string): string =>
  Object.keys(columns)
    .map((column) => `${column} = ?`)
    .join(between);

const valuesOf = (columns: object): Value[] => Object.values(columns);

/** `raced`: the row was changed between the two statements. */
export type Applied = boolean | "raced";

/** The sum is over what was read, so the update expects the sum that was read with it. */
export const rewritten = (sql: Sql, update: Statement): Promise<Applied> =>
  holds(sql.run(update).then((count) => (count > 0 ? true : "raced")));

export const made = (sql: Sql, statement: Statement): Promise<Applied> => holds(sql.run(statement).then(() => true));

/** A unique index refuses a write when its id or version exists, or when another SOP of the key is active. */
async function holds(write: Promise<Applied>): Promise<Applied> {
  try {
    return await write;
  } catch (error) {
    if (kindOf(error) === "UniqueConstraintViolation") return false;
    throw error;
  }
}
