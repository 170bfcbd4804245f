// Opens the database of a URL: SQLite by default, PostgreSQL for `postgresql://`. The rest of the store is written once for
// both.

import { realpath } from "node:fs/promises";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { z } from "zod";
import { OrchError } from "../domain/errors.ts";
import type { Predecessor } from "../domain/predecessor.ts";
import { reasonOf, usable } from "./fault.ts";
import { PrismaClient as PostgresqlClient } from "./generated/postgresql/client.ts";
import { PrismaClient } from "./generated/sqlite/client.ts";
import type { Lock } from "./lock.ts";
import { migrate } from "./migrate.ts";
import { lockServer, postgresqlFactory } from "./postgresql.ts";
import { type OwnServer, type ServerRow, taken, takeOver } from "./server-row.ts";
import { LOCK_WRITERS, type Provider, type Statement } from "./sql.ts";
import { type Sql, type SqlConnection, sharedConnection } from "./sql-connection.ts";
import { QUICK_CHECK, sqliteFactory } from "./sqlite.ts";
import { type FileWatch, watchFile } from "./sqlite-file.ts";
import { lockFile } from "./sqlite-lock.ts";

export type Database = {
  readonly provider: Provider;
  readonly client: PrismaClient;
  /** For the store's own statements, beside the client. */
  readonly connection: SqlConnection;
  /** The conditions under which this server may write; none for a tool. */
  readonly conditions: readonly Statement[];
  /** Whether the server that had the database before may still run something; `none` for a tool. */
  readonly predecessor: Predecessor;
  /** The host and pid of that server; null when there was none, or it is not known. */
  readonly predecessor_process: string | null;
  /** Throws `fenced` when this server is known to have lost the database, `database_unusable` when it or its file is gone. */
  readonly ensureOwned: () => void;
  /** Asks the database whether this server still owns it, within the transaction. Rejects with `fenced` when it does not. */
  readonly confirmOwned: (sql?: Sql) => Promise<void>;
  /** Writes that this server lives. Rejects with `fenced`, or with `database_unusable` and what an operator has to mend. */
  readonly heartbeat: () => Promise<void>;
  /** Rejects with `database_unusable` while its disk is nearly full. What can still be committed is committed all the same. */
  readonly ensureRoom: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type DatabaseOptions = {
  readonly url: string;
  /** For a server: refuses a database that another server uses. Tools and tests may read without it. */
  readonly exclusive?: boolean;
  readonly own?: OwnServer;
  /** Called once, when another server has taken over the database. */
  readonly onFenced?: ((reason: string) => void) | undefined;
};

const UNLOCKED: Lock = { identity: null, check: async () => true, release: async () => undefined };
// Longer than any wait for another transaction that is not a fault.
const PATIENCE = { maxWait: 30_000, timeout: 30_000 };

type DatabaseTarget = {
  readonly provider: Provider;
  /** For messages; contains no password. */
  readonly name: string;
  readonly factory: SqlMigrationAwareDriverAdapterFactory;
  /** Without a limit on the time of a statement. */
  readonly migrations: SqlMigrationAwareDriverAdapterFactory;
  readonly lock: () => Promise<Lock>;
  /** What only an operator can mend. */
  readonly watch: () => FileWatch;
};

/** Applies pending migrations first. Rejects with `database_unusable` and the reason. */
export async function openDatabase({ url, exclusive = false, own, onFenced }: DatabaseOptions): Promise<Database> {
  const target = targetOf(url);
  const { provider } = target;
  let lock = UNLOCKED;
  let client: PrismaClient | undefined;
  try {
    if (exclusive) lock = await target.lock();
    await migrate(provider, target.migrations);
    const { factory, connection } = sharedConnection(target.factory, provider);
    client = clientOf(provider, factory);
    await client.$connect();
    if (!exclusive) return databaseOf({ provider, client, connection });
    if (provider === "sqlite") await ensureIntact(client);
    const row = await takeOver(client, lock.identity, provider === "postgresql" ? LOCK_WRITERS : [], own);
    return databaseOf({ provider, client, connection, owner: { lock, row, watch: target.watch(), onFenced } });
  } catch (error) {
    await client?.$disconnect();
    await lock.release();
    if (error instanceof OrchError) throw error;
    throw new OrchError("database_unusable", `cannot use the database ${target.name}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

function targetOf(url: string): DatabaseTarget {
  if (/^postgres(ql)?:/.test(url)) {
    const { host, pathname } = new URL(url);
    return {
      provider: "postgresql",
      name: `${host}${pathname}`,
      factory: postgresqlFactory(url),
      migrations: postgresqlFactory(url, null),
      lock: () => lockServer(url),
      watch: () => NO_FILE,
    };
  }
  const path = sqlitePath(url);
  const factory = sqliteFactory(path);
  return {
    ...{ provider: "sqlite", name: path, factory, migrations: factory },
    lock: () => lockDatabase(path),
    watch: () => watchFile(path),
  };
}

export const sqlitePath = (url: string): string => url.replace(/^file:(\/\/(?=\/))?/, "");

const NO_FILE: FileWatch = { ensureInPlace: () => undefined, ensureRoom: async () => undefined };

/** One lock per file, also when links lead to it. */
const lockDatabase = async (path: string): Promise<Lock> => lockFile(await realpath(path).catch(() => path));

// Both clients are generated from one model definition (a test compares them) and accept the same calls. Their types differ
// in filters that the store does not use. This is the only cast between them.
function clientOf(provider: Provider, adapter: SqlMigrationAwareDriverAdapterFactory): PrismaClient {
  const options = { adapter, errorFormat: "minimal", transactionOptions: PATIENCE } as const;
  if (provider === "sqlite") return new PrismaClient(options);
  return new PostgresqlClient(options) as unknown as PrismaClient;
}

const Checked = z.tuple([z.object({ quick_check: z.string() })]);

/** A server that detects the damage later has run half of its tasks (D-052). */
async function ensureIntact(client: PrismaClient): Promise<void> {
  const [{ quick_check }] = Checked.parse(await client.$queryRawUnsafe(QUICK_CHECK));
  if (quick_check === "ok") return;
  throw new Error(`the file is damaged; restore a backup (${quick_check})`);
}

type Owner = Pick<DatabaseOptions, "onFenced"> & {
  readonly lock: Lock;
  readonly row: ServerRow;
  readonly watch: FileWatch;
};

type Opened = {
  readonly provider: Provider;
  readonly client: PrismaClient;
  readonly connection: SqlConnection;
  readonly owner?: Owner;
};

function databaseOf({ provider, client, connection, owner }: Opened): Database {
  let isClosed = false;
  let isFenced = false;
  const ensureOwned = () => {
    // The client would reconnect, and another server may own the database by now.
    if (isClosed) throw new OrchError("database_unusable", "this server has closed its database");
    if (isFenced) throw taken();
    owner?.watch.ensureInPlace();
  };
  const confirm = (isOurs: boolean) => {
    if (isOurs) return;
    if (!isFenced) owner?.onFenced?.(taken().message);
    isFenced = true;
    throw taken();
  };
  return {
    ...{ provider, client, connection, ensureOwned },
    conditions: owner === undefined ? [] : [owner.row.condition],
    predecessor: owner?.row.predecessor ?? "none",
    predecessor_process: owner?.row.predecessor_process ?? null,
    confirmOwned: async (sql = connection) => confirm((await owner?.row.holds(sql)) ?? true),
    heartbeat: () =>
      usable(
        (async () => {
          ensureOwned();
          await owner?.lock.check();
          confirm((await owner?.row.beat()) ?? true);
        })(),
      ),
    ensureRoom: async () => owner?.watch.ensureRoom(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      // A successor that cannot read it waits until the leases have run out.
      if (!isFenced) await owner?.row.stop().catch(() => undefined);
      connection.close();
      await client.$disconnect();
      await owner?.lock.release();
    },
  };
}
