// Migrates a database as a start does, and leaves it: under the lock of its servers, so that on SQLite none may have it meanwhile.
import { targetOf } from "./database-target.ts";
import { cannotUse } from "./fault.ts";
import { type Migrated, type Migrating, migrate } from "./migrate.ts";
import type { Owning } from "./ownership.ts";
import { refuseRestoring } from "./restoring.ts";
import type { Provider } from "./sql.ts";

type MigratedAlone = Migrated & { readonly database: Provider; readonly name: string };

/** Rejects with what a start would be refused with. */
export async function migrateAlone(url: string, migrating: Migrating): Promise<MigratedAlone> {
  const { provider, name, factory, migrations, owns } = targetOf(url);
  let owning: Owning | undefined;
  try {
    owning = await owns();
    if (provider === "postgresql") await refuseRestoring(factory);
    const migrated = await owning.alone(() => migrate(provider, migrations, migrating));
    return { database: provider, name, ...migrated };
  } catch (error) {
    throw cannotUse(name, error);
  } finally {
    await owning?.release();
  }
}
