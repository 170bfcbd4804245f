// Every entry of the journals in a PostgreSQL database, in the order in which they were committed. The database has to keep the times
// of its commits: a number that it gives an entry is taken before the commit, and one that waits for another may have the lower one.
import { Client } from "pg";
import { z } from "zod";
import type { Committed } from "../chaos/checker/lives.ts";

const Row = z.object({
  thread_id: z.string(),
  seq: z.int(),
  kind: z.string(),
  at: z.string(),
  body: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.record(z.string(), z.unknown())),
  prev_hash: z.string(),
  hash: z.string(),
  committed: z.number(),
});

const ROWS = `
  SELECT thread_id, seq, kind, body, at, prev_hash, hash,
    (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000)::double precision AS committed
  FROM journal_event ORDER BY pg_xact_commit_timestamp(xmin), cursor`;

export const readJournals = async (url: string): Promise<Committed[]> => z.array(Row).parse(await ask(url, ROWS));

/** The rows that the database answers with. */
export async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  // A server that is restarted ends the connection.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
