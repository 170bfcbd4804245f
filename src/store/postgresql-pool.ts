// The connections to PostgreSQL. pg's pool closes the connection of every statement that fails, and so of every commit that is refused; to
// connect again costs both sides more than the commit (D-399).
import { DatabaseError, Pool, type PoolClient, type PoolConfig, type QueryConfig, type QueryResult } from "pg";

/** pg's ten seconds would close and open connections between two bursts of work. */
const IDLE_MS = 60_000;

/** The statement has changed nothing, and its session goes on: a value, a constraint, or a conflict with another transaction. */
const REFUSALS = /^(22|23|40)/;

export function openPool(config: PoolConfig): Pool {
  const pool = new Pool({ idleTimeoutMillis: IDLE_MS, ...config });
  return Object.assign(pool, { query: (statement: QueryConfig) => queryOn(pool, statement) });
}

async function queryOn(pool: Pool, statement: QueryConfig): Promise<QueryResult> {
  const client: PoolClient = await pool.connect();
  let fault: unknown;
  const noted = (error: unknown): void => {
    fault = error;
  };
  client.once("error", noted);
  try {
    return await client.query(statement);
  } catch (error) {
    if (!isRefusal(error)) noted(error);
    throw error;
  } finally {
    client.off("error", noted);
    client.release(fault !== undefined);
  }
}

const isRefusal = (error: unknown): boolean => error instanceof DatabaseError && REFUSALS.test(error.code ?? "");
