// Databases of each earlier state of the schema: the first migrations, and what a server of that time had stored. The rows are those of the
// oldest data directory (test/fixtures), with the columns and the sums that they had at that state.
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { applyMigrations } from "../../src/store/migrate.ts";
import { migrationNames } from "../../src/store/migration-plan.ts";
import { postgresqlFactory } from "../../src/store/postgresql-session.ts";
import { NO_SUM, withSum } from "../../src/store/rows.ts";
import { type Provider, type SqlConnection, sharedConnection, type Value } from "../../src/store/sql.ts";
import { sqliteFactory } from "../../src/store/sqlite.ts";

const FIXTURE = join(import.meta.dirname, "../fixtures/data-directory-0.1.0/orch.sqlite3");

/** A task that has ended, one that waits for an approval, and the procedure that it waits with. */
const TASKS = ["taught", "asks-approval"];
const WAITING_SOP = "682c5194-288f-4df1-84c2-8eec616caddf";
/** Candidate in the directory: here it was approved. */
const ACTIVE_SOP = "c1670080-534b-4923-bc68-ae76f6a936c2";

const TABLES = [
  ["task", "task_id", TASKS],
  ["journal_event", "thread_id", TASKS],
  ["approval", "thread_id", TASKS],
  ["sop", "sop_id", [WAITING_SOP, ACTIVE_SOP]],
  ["checkpoint", "thread_id", TASKS],
  ["checkpoint_blob", "thread_id", TASKS],
  ["checkpoint_write", "thread_id", TASKS],
] as const;

/** Each but the one of this version, by the last migration that it has. */
export async function earlierSchemas(): Promise<string[]> {
  return (await migrationNames("sqlite")).slice(0, -1);
}

/** Fills an empty place: a path, or the URL of a PostgreSQL database. */
export async function makeEarlier(url: string, last: string): Promise<void> {
  const provider: Provider = url.startsWith("postgresql:") ? "postgresql" : "sqlite";
  const factory = provider === "postgresql" ? postgresqlFactory(url) : sqliteFactory(url);
  const all = await migrationNames(provider);
  await applyMigrations(provider, factory, { names: all.slice(0, all.indexOf(last) + 1), failed: [] });
  const shared = sharedConnection(factory, provider);
  const adapter = await shared.factory.connect();
  try {
    for (const [table, key, ids] of TABLES) {
      for (const row of rowsOf(table, key, ids)) {
        await insert(shared.connection, table, row, provider);
        await sum(shared.connection, table, key, row[key] as Value);
      }
    }
  } finally {
    await adapter.dispose();
  }
}

type Row = Record<string, SQLOutputValue>;

function rowsOf(table: string, key: string, ids: readonly string[]): Row[] {
  const fixture = new DatabaseSync(FIXTURE, { readOnly: true });
  try {
    const marks = ids.map(() => "?").join(", ");
    const rows = fixture.prepare(`SELECT * FROM ${table} WHERE ${key} IN (${marks}) ORDER BY rowid`).all(...ids);
    return rows.map((row) => asThen(table, row));
  } finally {
    fixture.close();
  }
}

function asThen(table: string, { cursor: _given_anew, ...row }: Row): Row {
  // Approvals expire by the clock, which has gone on.
  if (table === "approval" && row["status"] === "pending")
    return { ...row, expires_at: new Date(Date.now() + 3_600_000).toISOString() };
  if (row["sop_id"] === ACTIVE_SOP) return { ...row, status: "active", success_count: 1 };
  return row;
}

async function insert(sql: SqlConnection, table: string, row: Row, provider: Provider): Promise<void> {
  const columns = Object.keys(row);
  const args = columns.map((column) => {
    const value = row[column] as Value;
    return provider === "postgresql" && column === "message" ? value === 1 : value;
  });
  await sql.run({
    sql: `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    args,
  });
}

/** As a server of that state has written the row that was inserted last: over the columns of then. */
async function sum(sql: SqlConnection, table: string, key: string, id: Value): Promise<void> {
  const rows = await sql.rows<Row>({ sql: `SELECT * FROM ${table} WHERE ${key} = ?`, args: [id] });
  const row = rows.find(({ row_sum }) => row_sum === NO_SUM);
  if (row === undefined) return;
  const { row_sum } = withSum(row);
  await sql.run({
    sql: `UPDATE ${table} SET row_sum = ? WHERE ${key} = ? AND row_sum = ?`,
    args: [row_sum, id, NO_SUM],
  });
}
