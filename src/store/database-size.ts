// How large the database is, for an operator. On SQLite without what waits in its log.
import type { Database } from "./database.ts";
import type { Provider } from "./sql.ts";

const SIZES: Readonly<Record<Provider, string>> = {
  sqlite: "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
  postgresql: "SELECT CAST(pg_database_size(current_database()) AS TEXT) AS bytes",
};

export async function databaseBytes({ provider, connection }: Pick<Database, "provider" | "connection">) {
  const [row] = await connection.rows<{ bytes: unknown }>({ sql: SIZES[provider], args: [] });
  return Number(row?.bytes);
}
