// All raw SQL, in the dialect that SQLite and PostgreSQL share; where they differ, there is a fragment per provider. Values
// are always bound. Placeholders are `?`; `numbered` converts them to PostgreSQL's `$1`.
import { PROMOTION_PREFIX } from "../domain/thread-id.ts";

export type Provider = "sqlite" | "postgresql";
export type Value = string | number | boolean | null | Uint8Array;
export type Statement = { readonly sql: string; readonly args: readonly Value[] };
export type Row = Readonly<Record<string, Value>>;

/** No statement contains a question mark that is not a placeholder. */
export function numbered(sql: string): string {
  let position = 0;
  return sql.replaceAll("?", () => `$${++position}`);
}

const marks = (count: number): string => Array(count).fill("?").join(", ");

/** One statement for all rows, which have the same columns. `rows` is not empty. */
export function insert(table: string, rows: readonly Row[], onConflict = ""): Statement {
  const columns = Object.keys(rows[0] ?? {});
  const tuples = Array(rows.length).fill(`(${marks(columns.length)})`);
  return {
    sql: `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${tuples.join(", ")} ${onConflict}`,
    args: rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
  };
}

export type Condition = { readonly column: string; readonly among: readonly Value[] };

export function update(table: string, set: Row, where: readonly Condition[]): Statement {
  const assignments = Object.keys(set).map((column) => `${column} = ?`);
  const conditions = where.map(({ column, among }) => `${column} IN (${marks(among.length)})`);
  return {
    sql: `UPDATE ${table} SET ${assignments.join(", ")} WHERE ${conditions.join(" AND ")}`,
    args: [...Object.values(set), ...where.flatMap(({ among }) => among)],
  };
}

export const countSuccess = (sop_id: string, at: string): Statement => ({
  sql: "UPDATE sop SET success_count = success_count + 1, last_success_at = ?, updated_at = ? WHERE sop_id = ?",
  args: [at, at, sop_id],
});

export const countFailure = (sop_id: string, at: string): Statement => ({
  sql: "UPDATE sop SET failure_count = failure_count + 1, updated_at = ? WHERE sop_id = ?",
  args: [at, sop_id],
});

export const lastEvent = (thread_id: string): Statement => ({
  sql: "SELECT seq, hash FROM journal_event WHERE thread_id = ? ORDER BY seq DESC LIMIT 1",
  args: [thread_id],
});

export const waitingOf = (task_id: string): Statement => ({
  sql: "SELECT waiting FROM task WHERE task_id = ?",
  args: [task_id],
});

// "msgs" in ASCII.
const MESSAGES_LOCK_ID = 0x6d736773;

/**
 * PostgreSQL assigns cursors before commits become visible, so a reader could see 8 before 7 and never ask for 7. This lock,
 * held until the commit is visible, serialises the commits that contain messages (D-050).
 */
export const messageOrder: Statement = { sql: `SELECT pg_advisory_xact_lock(${MESSAGES_LOCK_ID})::text`, args: [] };

export const MIGRATION_HISTORY = `
  SELECT migration_name, CASE WHEN finished_at IS NULL THEN 'failed' ELSE 'applied' END AS state
  FROM _prisma_migrations WHERE rolled_back_at IS NULL`;

type CheckpointKey = { readonly thread_id: string; readonly ns: string; readonly checkpoint_id?: string | undefined };

/** Rows (key, value) of the channel versions in a checkpoint's body. */
const channelVersions = (provider: Provider, body: string): string =>
  provider === "sqlite"
    ? `json_each(${body}, '$.channel_versions')`
    : `jsonb_each_text(${body}::jsonb -> 'channel_versions')`;

/**
 * A checkpoint with all its parts in one round trip: one row of part `checkpoint` (a = id, b = parent, c = body,
 * type = metadata), a `blob` per channel (a = channel) and a `write` per pending write (a = task, b = channel). Without
 * an id, the latest. The blobs come first because SQLite takes the type of each column from the first SELECT. CROSS JOIN
 * keeps it from reading all blobs of the thread before it knows which ones are needed.
 */
export function checkpointTuple(provider: Provider, { thread_id, ns, checkpoint_id }: CheckpointKey): Statement {
  const byId = checkpoint_id === undefined ? "" : "AND checkpoint_id = ?";
  return {
    sql: `
      WITH head AS (
        SELECT thread_id, ns, checkpoint_id, parent_id, body, metadata FROM checkpoint
        WHERE thread_id = ? AND ns = ? ${byId} ORDER BY checkpoint_id DESC LIMIT 1
      )
      SELECT 'blob' AS part, b.channel AS a, b.version AS b, '' AS c, b.type AS type, b.data AS data, 0 AS idx
      FROM head CROSS JOIN ${channelVersions(provider, "head.body")} v
      CROSS JOIN checkpoint_blob b
      WHERE b.thread_id = head.thread_id AND b.ns = head.ns
        AND b.channel = v.key AND b.version = CAST(v.value AS TEXT)
      UNION ALL
      SELECT 'checkpoint', checkpoint_id, parent_id, body, metadata, NULL, 0 FROM head
      UNION ALL
      SELECT 'write', w.task_id, w.channel, '', w.type, w.data, w.idx
      FROM head JOIN checkpoint_write w ON w.thread_id = head.thread_id AND w.ns = head.ns
        AND w.checkpoint_id = head.checkpoint_id
      ORDER BY part, a, idx`,
    args: checkpoint_id === undefined ? [thread_id, ns] : [thread_id, ns, checkpoint_id],
  };
}

export const pendingSends = (
  { thread_id, ns, checkpoint_id }: Required<CheckpointKey>,
  channel: string,
): Statement => ({
  sql: `
    SELECT type, data FROM checkpoint_write
    WHERE thread_id = ? AND ns = ? AND checkpoint_id = ? AND channel = ? ORDER BY task_id, idx`,
  args: [thread_id, ns, checkpoint_id ?? "", channel],
});

type CheckpointFilter = { readonly [K in keyof CheckpointKey | "before"]: string | undefined };

/** Newest first, at most `limit` of them; undefined fields do not restrict. */
export function checkpointKeys(
  { thread_id, ns, checkpoint_id, before }: CheckpointFilter,
  limit: number | undefined,
): Statement {
  const given = [
    { condition: "thread_id = ?", value: thread_id },
    { condition: "ns = ?", value: ns },
    { condition: "checkpoint_id = ?", value: checkpoint_id },
    { condition: "checkpoint_id < ?", value: before },
  ].flatMap(({ condition, value }) => (value === undefined ? [] : [{ condition, value }]));
  const where = given.length === 0 ? "" : `WHERE ${given.map(({ condition }) => condition).join(" AND ")}`;
  return {
    sql: `
      SELECT thread_id, ns, checkpoint_id, metadata FROM checkpoint ${where}
      ORDER BY checkpoint_id DESC ${limit === undefined ? "" : "LIMIT ?"}`,
    args: [...given.map(({ value }) => value), ...(limit === undefined ? [] : [limit])],
  };
}

/** A channel version never changes, so an existing blob is the same. */
export const insertBlobs = (rows: readonly Row[]): Statement =>
  insert("checkpoint_blob", rows, "ON CONFLICT DO NOTHING");

export const insertCheckpoint = (row: Row): Statement =>
  insert(
    "checkpoint",
    [row],
    "ON CONFLICT (thread_id, ns, checkpoint_id) DO UPDATE SET body = excluded.body, metadata = excluded.metadata",
  );

/** A repeated write is ignored, unless it replaces the earlier one. */
export const insertWrites = (rows: readonly Row[], replace: boolean): Statement =>
  insert(
    "checkpoint_write",
    rows,
    `ON CONFLICT (thread_id, ns, checkpoint_id, task_id, idx) DO ${
      replace ? "UPDATE SET channel = excluded.channel, type = excluded.type, data = excluded.data" : "NOTHING"
    }`,
  );

const CHECKPOINT_TABLES = ["checkpoint_write", "checkpoint_blob", "checkpoint"];

export const deleteCheckpoints = (thread_id: string): Statement[] =>
  CHECKPOINT_TABLES.map((table) => ({ sql: `DELETE FROM ${table} WHERE thread_id = ?`, args: [thread_id] }));

const ENDED_THREADS = `SELECT task_id FROM task WHERE status IN ('ok', 'failed', 'blocked', 'cancelled')
  UNION ALL SELECT ? || sop_id FROM sop WHERE status <> 'candidate'`;

/** Deletes checkpoints that remained when the server stopped between the end of a thread and their deletion. */
export const sweepCheckpoints: readonly Statement[] = CHECKPOINT_TABLES.map((table) => ({
  sql: `DELETE FROM ${table} WHERE thread_id IN (${ENDED_THREADS})`,
  args: [PROMOTION_PREFIX],
}));

/** Keeps the newest checkpoint of each namespace with its writes and blobs, which is all that resuming needs. */
export const pruneCheckpoints = (provider: Provider, thread_id: string): Statement[] => [
  {
    sql: `DELETE FROM checkpoint WHERE thread_id = ? AND (ns, checkpoint_id) NOT IN
      (SELECT ns, max(checkpoint_id) FROM checkpoint WHERE thread_id = ? GROUP BY ns)`,
    args: [thread_id, thread_id],
  },
  {
    sql: `DELETE FROM checkpoint_write WHERE thread_id = ? AND (ns, checkpoint_id) NOT IN
      (SELECT ns, checkpoint_id FROM checkpoint WHERE thread_id = ?)`,
    args: [thread_id, thread_id],
  },
  {
    sql: `DELETE FROM checkpoint_blob WHERE thread_id = ? AND (ns, channel, version) NOT IN
      (SELECT c.ns, v.key, CAST(v.value AS TEXT)
       FROM checkpoint c CROSS JOIN ${channelVersions(provider, "c.body")} v WHERE c.thread_id = ?)`,
    args: [thread_id, thread_id],
  },
];
