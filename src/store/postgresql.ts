// PostgreSQL through Prisma's adapter. Each transaction has its own connection of the pool, so no statement waits.
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";

export function postgresqlFactory(connectionString: string): SqlMigrationAwareDriverAdapterFactory {
  const driver = new PrismaPg({ connectionString });
  return {
    provider: driver.provider,
    adapterName: driver.adapterName,
    connect: async () => withAtomicScripts(await driver.connect()),
    connectToShadowDb: () => driver.connectToShadowDb(),
  };
}

/** The adapter would send a script statement by statement. As one message without parameters it is one transaction. */
const withAtomicScripts = (adapter: SqlDriverAdapter): SqlDriverAdapter =>
  Object.assign(adapter, {
    executeScript: async (sql: string) => {
      await adapter.executeRaw({ sql, args: [], argTypes: [] });
    },
  });
