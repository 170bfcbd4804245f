// How many turns a token has left, on all servers of a PostgreSQL database and by its clock (D-328): one statement a turn.
import type { Database } from "./database.ts";
import { guarded } from "./database-errors.ts";
import { missingTurns, type Rate, takeTurn } from "./sql.ts";

/** Takes a turn of the named bucket. Null when there was one, else the whole seconds until the next. */
export type TakeTurn = (name: string) => Promise<number | null>;

/** Null where a server has the database alone: its buckets are in its memory. */
export function sharedBuckets({ client, servers: { are_many } }: Database, rate: Rate): TakeTurn | null {
  if (!are_many) return null;
  const { amount, per_ms } = rate;
  return guarded(async (name: string) => {
    if (amount === 0 || (await takeTurn(client, name, rate))) return null;
    const missing_ms = await missingTurns(client, name, rate);
    return Math.max(1, Math.ceil((missing_ms + per_ms / amount - per_ms) / 1000));
  });
}
