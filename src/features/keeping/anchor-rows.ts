// What is kept for anchors: the ends of journals that the root of a day is over (D-372).
import type { AnchorChange, Growth, KeptAnchors } from "../../domain/anchor.ts";
import type { ThreadEnd } from "../../domain/backup.ts";
import type { Database } from "../../store/database.ts";
import { guarded, type Sql, type Statement } from "../../store/sql.ts";

export const readAnchors = ({ connection }: Pick<Database, "connection">): KeptAnchors => ({
  readGrowth: guarded((after, limit) => connection.rows<Growth>({ sql: GROWTH, args: [after, limit] })),
  readLeaves: guarded((day) => connection.rows<ThreadEnd>({ sql: LEAVES, args: [day] })),
  listAnchored: guarded((thread_id, limit) => connection.rows({ sql: ANCHORED, args: [thread_id, limit] })),
});

const GROWTH = "SELECT cursor, thread_id, seq, hash, at FROM journal_event WHERE cursor > ? ORDER BY cursor LIMIT ?";
const LEAVES = "SELECT thread_id, seq, hash FROM anchor_leaf WHERE day = ?";
const ANCHORED = "SELECT day, seq, hash FROM anchor_leaf WHERE thread_id = ? ORDER BY day DESC LIMIT ?";

/** A statement may bind 32,766 values. */
const PER_STATEMENT = 2_000;

export async function insertLeaves({ day, leaves }: AnchorChange, sql: Sql): Promise<true> {
  for (let start = 0; start < leaves.length; start += PER_STATEMENT)
    await sql.run(insertOf(day, leaves.slice(start, start + PER_STATEMENT)));
  return true;
}

const insertOf = (day: string, leaves: readonly ThreadEnd[]): Statement => ({
  sql: `INSERT INTO anchor_leaf (thread_id, day, seq, hash) VALUES ${leaves.map(() => "(?, ?, ?, ?)").join(", ")}`,
  args: leaves.flatMap(({ thread_id, seq, hash }) => [thread_id, day, seq, hash]),
});
