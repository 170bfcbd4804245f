// How many turns a token has left, on all servers of a PostgreSQL database and by its clock (D-328): one statement a turn. A bucket holds
// `amount` turns, is full at first, and refills in `per_ms`. It is kept as the time at which it is full again.
import type { Database } from "./database.ts";
import { guarded, type Statement } from "./sql.ts";

type Rate = { readonly amount: number; readonly per_ms: number };

const NOW_MS = "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8";
/** Bounded, so that a clock that is set back locks no caller out. */
const MISSING_MS = `LEAST(GREATEST(bucket.full_at_ms - ${NOW_MS}, 0), ?::float8)`;

const taken = (name: string, { amount, per_ms }: Rate): Statement => ({
  sql: `INSERT INTO token_bucket AS bucket (name, full_at_ms) VALUES (?, ${NOW_MS} + ?::float8)
    ON CONFLICT (name) DO UPDATE SET full_at_ms = ${NOW_MS} + ${MISSING_MS} + ?::float8 WHERE ${MISSING_MS} + ?::float8 < ?::float8 + 1`,
  args: [name, per_ms / amount, per_ms, per_ms / amount, per_ms, per_ms / amount, per_ms],
});

const missing = (name: string, { per_ms }: Rate): Statement => ({
  sql: `SELECT ${MISSING_MS} AS missing_ms FROM token_bucket AS bucket WHERE name = ?`,
  args: [per_ms, name],
});

/** Takes a turn of the named bucket. Null when there was one, else the whole seconds until the next. */
export type TakeTurn = (name: string) => Promise<number | null>;

/** Null where a server has the database alone: its buckets are in its memory. */
export function sharedBuckets({ connection, servers: { are_many } }: Database, rate: Rate): TakeTurn | null {
  if (!are_many) return null;
  return guarded(async (name: string) => {
    if (rate.amount === 0 || (await connection.run(taken(name, rate))) > 0) return null;
    const [{ missing_ms } = { missing_ms: 0 }] = await connection.rows<{ missing_ms: number }>(missing(name, rate));
    return Math.max(1, Math.ceil((missing_ms + rate.per_ms / rate.amount - rate.per_ms) / 1000));
  });
}
