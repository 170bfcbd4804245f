// What a DATABASE_URL names.
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { lockDatabase, type Owning, ownsAlone, ownsOneOf } from "./ownership.ts";
import { openSession, postgresqlFactory } from "./postgresql-session.ts";
import type { Provider } from "./sql.ts";
import { sqliteFactory } from "./sqlite.ts";
import { findFiles } from "./sqlite-file.ts";

type DatabaseTarget = {
  readonly provider: Provider;
  /** For messages; contains no password. */
  readonly name: string;
  readonly factory: SqlMigrationAwareDriverAdapterFactory;
  /** Without a limit on the time of a statement. */
  readonly migrations: SqlMigrationAwareDriverAdapterFactory;
  readonly owns: () => Promise<Owning>;
};

export function targetOf(url: string): DatabaseTarget {
  if (isPostgresql(url)) {
    const { host, pathname } = new URL(url);
    return {
      provider: "postgresql",
      name: `${host}${pathname}`,
      factory: postgresqlFactory(url),
      migrations: postgresqlFactory(url, null),
      owns: async () => ownsOneOf(await openSession(url)),
    };
  }
  const path = sqlitePath(url);
  const factory = sqliteFactory(path);
  return {
    provider: "sqlite",
    name: path,
    factory,
    migrations: factory,
    owns: async () => ownsAlone(await lockDatabase(path), path, findFiles(path)),
  };
}

export const sqlitePath = (url: string): string => url.replace(/^file:(\/\/(?=\/))?/, "");

export const isPostgresql = (url: string): boolean => /^postgres(ql)?:/.test(url);
