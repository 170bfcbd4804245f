// What a restore changes beside journals: the servers of the past and what they held are gone, and no cursor is given a second time.
import { BACKUP_DUTY } from "../../domain/backup.ts";
import type { Database } from "../database.ts";
import { SERVER_ID } from "../peers.ts";
import { findRow, isWhole, upsertRow, withSum } from "../rows.ts";
import { type Sql, usable } from "../sql.ts";

/** A reader that was further than the backup still gets everything that comes now. */
const CURSOR_GAP = 1_000_000;

/** Before any event is written: the new ones come after all that the past may have shown to readers. */
export const raiseCursor = ({ provider, connection }: Database): Promise<void> =>
  usable(
    connection.transaction(async (sql) => {
      const [last] = await sql.rows<{ cursor: unknown }>({ sql: LAST, args: [] });
      const next = Number(last?.cursor ?? 0) + CURSOR_GAP;
      if (provider === "postgresql") {
        await sql.rows({
          sql: "SELECT setval(pg_get_serial_sequence('journal_event', 'cursor'), ?::bigint)::text",
          args: [String(next)],
        });
        return;
      }
      const set = { sql: "UPDATE sqlite_sequence SET seq = ? WHERE name = 'journal_event'", args: [next] };
      if ((await sql.run(set)) === 0)
        await sql.run({ sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('journal_event', ?)", args: [next] });
    }),
  );

const LAST = "SELECT COALESCE(MAX(cursor), 0) AS cursor FROM journal_event";

/** Only a task that asks in the middle of its steps keeps its target. */
const FREE_TARGETS = `DELETE FROM target_hold WHERE task_id NOT IN (
  SELECT task_id FROM task WHERE status IN ('need_input', 'need_approval'))`;

/** After the tasks are settled. `freed`: those that keep no target. */
export const forgetServers = ({ provider, connection }: Database, freed: readonly string[]): Promise<void> =>
  usable(
    connection.transaction(async (sql) => {
      await sql.run({ sql: FREE_TARGETS, args: [] });
      for (const task_id of freed) await sql.run({ sql: "DELETE FROM target_hold WHERE task_id = ?", args: [task_id] });
      if (provider === "postgresql") await sql.run({ sql: "DELETE FROM server", args: [] });
      else await stopServer(sql);
    }),
  );

/** The next server finds one that was stopped, of an earlier generation (D-213). */
async function stopServer(sql: Sql): Promise<void> {
  const [row] = await sql.rows<Record<string, unknown> & { row_sum: string }>({
    sql: "SELECT * FROM server WHERE server_id = ?",
    args: [SERVER_ID],
  });
  if (row === undefined) return;
  const { row_sum, ...kept } = row;
  const stopped_at = new Date().toISOString();
  const generation = Number(row["generation"]) + 1;
  const epoch = Number(row["epoch"]) + 1;
  const after = withSum({ ...kept, epoch, generation, stopped_at });
  await sql.run({
    sql: "UPDATE server SET epoch = ?, generation = ?, stopped_at = ?, row_sum = ? WHERE server_id = ?",
    args: [epoch, generation, stopped_at, isWhole(row) ? after.row_sum : row_sum, SERVER_ID],
  });
}

/** The time of the last backup is kept as how far that duty has come, so that every version that has duties can show it. */
export async function noteBackup(sql: Sql, taken_at: string): Promise<void> {
  const cursor = Math.floor(Date.parse(taken_at) / 1_000);
  const known = await findRow(sql, "duty", { name: BACKUP_DUTY });
  if (known !== null && isWhole(known) && known.cursor >= cursor) return;
  await sql.run(upsertRow("duty", ["name"], withSum({ name: BACKUP_DUTY, cursor })));
}
