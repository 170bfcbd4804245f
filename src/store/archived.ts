// Keeps rows of what is in the archive (D-373). The last event of an archived journal stays, so that what comes later is
// chained to it.
import {
  type Archivable,
  ArchivedTask as ArchivedRecord,
  type ArchivedTask,
  type KeptArchive,
} from "../domain/archived.ts";
import type { Database } from "./database.ts";
import { guarded } from "./fault.ts";
import { findRow, insertRow } from "./row-statements.ts";
import { withSum } from "./row-sum.ts";
import { read } from "./rows.ts";
import type { Sql } from "./sql-connection.ts";

export const readArchived = ({ connection }: Pick<Database, "connection">): KeptArchive => ({
  listArchivable: guarded(({ limit, after, ended_before, unverified_since }) =>
    connection.rows<Archivable>({
      sql: ARCHIVABLE,
      args: [after?.ended_at ?? "", after?.ended_at ?? "", after?.task_id ?? "", ended_before, unverified_since, limit],
    }),
  ),
  archivedEnd: guarded(async (file) => {
    const sql = "SELECT COALESCE(MAX(file_offset + file_bytes), 0) AS file_end FROM archived WHERE file = ?";
    const [row] = await connection.rows<{ file_end: unknown }>({ sql, args: [file] });
    return Number(row?.file_end ?? 0);
  }),
  listArchiveFiles: guarded(async () => {
    const sql = "SELECT file, MAX(file_offset + file_bytes) AS file_end FROM archived GROUP BY file ORDER BY file";
    const rows = await connection.rows<{ file: string; file_end: unknown }>({ sql, args: [] });
    return rows.map(({ file, file_end }) => ({ file, file_end: Number(file_end) }));
  }),
  findArchived: guarded(async (task_id) => {
    const row = await findRow(connection, "archived", { task_id });
    return row === null ? null : read(ArchivedRecord, `archived task ${task_id}`, [], row);
  }),
});

const ARCHIVABLE = `SELECT task_id, ended_at FROM task
  WHERE (ended_at > ? OR (ended_at = ? AND task_id > ?)) AND ended_at < ?
    AND status IN ('ok', 'failed', 'blocked', 'cancelled')
    AND NOT (status = 'ok' AND verification IS NULL AND ended_at >= ?)
    AND (verification IS NULL OR verification NOT LIKE '%"verified":false%')
    AND EXISTS (SELECT 1 FROM task_score WHERE task_score.task_id = task.task_id)
    AND NOT EXISTS (SELECT 1 FROM archived WHERE archived.task_id = task.task_id)
    AND NOT (status = 'ok' AND contract LIKE '%"verify_by":%' AND verification IS NULL)
    AND NOT EXISTS (SELECT 1 FROM sop WHERE sop.status = 'active' AND sop.origin IN (task.task_id, 'update_sop ' || task.task_id))
    AND NOT EXISTS (SELECT 1 FROM sop WHERE sop.status = 'active' AND sop.sop_id = task.sop_id AND task.task_id = (
      SELECT score.task_id FROM task_score score WHERE score.sop_id = sop.sop_id AND score.status = 'ok'
      ORDER BY score.ended_at DESC, score.task_id LIMIT 1))
  ORDER BY ended_at, task_id LIMIT ?`;

/** False where something was added since, or it is archived already. */
export async function archiveTask(archived: ArchivedTask, sql: Sql): Promise<boolean> {
  const { task_id, last_seq, last_hash } = archived;
  const [last] = await sql.rows<{ seq: number; hash: string }>({
    sql: "SELECT seq, hash FROM journal_event WHERE thread_id = ? ORDER BY seq DESC LIMIT 1",
    args: [task_id],
  });
  if (last === undefined || Number(last.seq) !== last_seq || last.hash !== last_hash) return false;
  if ((await findRow(sql, "archived", { task_id })) !== null) return false;
  await sql.run(insertRow("archived", withSum(archived)));
  await sql.run({ sql: "DELETE FROM journal_event WHERE thread_id = ? AND seq < ?", args: [task_id, last_seq] });
  return true;
}

/** What was folded of an archived journal is not folded again. */
export const DELETE_SCORES = {
  sql: "DELETE FROM task_score WHERE task_id NOT IN (SELECT task_id FROM archived)",
  args: [],
};
