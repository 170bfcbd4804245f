// Databases of each earlier state of the schema: the first migrations, and what a server of that time had stored. The rows are those of the
// oldest data directory (test/fixtures), with the columns and the sums that they had at that state.
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import type { SqlDriverAdapter, SqlQuery } from "@prisma/driver-adapter-utils";
import { applyMigrations } from "../../src/store/migrate.ts";
import { migrationNames } from "../../src/store/migration-plan.ts";
import { postgresqlFactory } from "../../src/store/postgresql-session.ts";
import { NO_SUM, withSum } from "../../src/store/rows.ts";
import type { Provider } from "../../src/store/sql.ts";
import { sqliteFactory } from "../../src/store/sqlite.ts";
import { placed, type Value } from "./database.ts";

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
  const adapter = await factory.connect();
  try {
    for (const [table, key, ids] of TABLES) {
      for (const row of rowsOf(table, key, ids)) {
        await insert(adapter, table, row);
        await sum(adapter, table, key, row[key] as Value);
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

const queryOf = ({ provider }: SqlDriverAdapter, sql: string, args: readonly Value[]): SqlQuery => ({
  sql: placed(provider === "sqlite" ? "sqlite" : "postgresql", sql),
  args: [...args],
  argTypes: args.map(() => ({ scalarType: "unknown", arity: "scalar" })),
});

async function insert(adapter: SqlDriverAdapter, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row);
  const args = columns.map((column) => {
    const value = row[column] as Value;
    return adapter.provider === "postgres" && column === "message" ? value === 1 : value;
  });
  const places = columns.map(() => "?").join(", ");
  await adapter.executeRaw(queryOf(adapter, `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`, args));
}

/** As a server of that state has written the row that was inserted last: over the columns of then. */
async function sum(adapter: SqlDriverAdapter, table: string, key: string, id: Value): Promise<void> {
  const found = await adapter.queryRaw(queryOf(adapter, `SELECT * FROM ${table} WHERE ${key} = ?`, [id]));
  const rows = found.rows.map((values) => Object.fromEntries(found.columnNames.map((name, at) => [name, values[at]])));
  const row = rows.find((one) => one["row_sum"] === NO_SUM);
  if (row === undefined) return;
  const { row_sum } = withSum(row);
  const update = `UPDATE ${table} SET row_sum = ? WHERE ${key} = ? AND row_sum = ?`;
  await adapter.executeRaw(queryOf(adapter, update, [row_sum, id, NO_SUM]));
}
