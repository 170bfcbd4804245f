// The mark of a database into which a backup is being restored: nothing in it may run before it is settled (D-370).
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { OrchError } from "../domain/errors.ts";

export const RESTORING = "orch_restoring";

export const IS_RESTORING = `SELECT to_regclass('${RESTORING}')::text`;

export const stillRestoring = (): OrchError =>
  new OrchError("database_unusable", "a backup was being restored into this database, and was not finished", {
    fix: "run the same again: orch restore FILE",
  });

/** On PostgreSQL; a SQLite file is filled under another name. */
export async function refuseRestoring(factory: SqlMigrationAwareDriverAdapterFactory): Promise<void> {
  const adapter = await factory.connect();
  try {
    const { rows } = await adapter.queryRaw({ sql: IS_RESTORING, args: [], argTypes: [] });
    if (rows[0]?.[0] != null) throw stillRestoring();
  } finally {
    await adapter.dispose();
  }
}
