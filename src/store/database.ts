// Opens the database of a URL: SQLite by default, PostgreSQL for `postgresql://`. The rest of the store is written once for
// both.
import { realpath } from "node:fs/promises";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { z } from "zod";
import { OrchError } from "../domain/errors.ts";
import { reasonOf } from "./fault.ts";
import { PrismaClient as PostgresqlClient } from "./generated/postgresql/client.ts";
import { type Prisma, PrismaClient } from "./generated/sqlite/client.ts";
import type { Lock } from "./lock.ts";
import { migrate } from "./migrate.ts";
import { lockServer, postgresqlFactory } from "./postgresql.ts";
import { numbered, type Provider, type Statement } from "./sql.ts";
import { lockFile, QUICK_CHECK, sqliteFactory } from "./sqlite.ts";

/** The client or an open transaction. */
export type Session = Prisma.TransactionClient;

export type Database = {
  readonly provider: Provider;
  readonly client: PrismaClient;
  /** Sends a statement and resolves to the number of changed rows. It is not sent before it is awaited. */
  readonly execute: (statement: Statement, session?: Session) => ReturnType<PrismaClient["$executeRawUnsafe"]>;
  readonly query: (statement: Statement, session?: Session) => Promise<unknown>;
  /** Rejects with `database_unusable` when this server has lost its lock on the database. */
  readonly ensureOwned: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** `exclusive` for a server: refuses a database that another server uses. Tools and tests may read without it. */
type DatabaseOptions = { readonly url: string; readonly exclusive?: boolean };

const UNLOCKED: Lock = { ensure: async () => undefined, release: async () => undefined };
// Longer than any wait for another transaction that is not a fault.
const PATIENCE = { maxWait: 30_000, timeout: 30_000 };

type DatabaseTarget = {
  readonly provider: Provider;
  /** For messages; contains no password. */
  readonly name: string;
  readonly factory: SqlMigrationAwareDriverAdapterFactory;
  readonly lock: () => Promise<Lock>;
};

/** Applies pending migrations first. Rejects with `database_unusable` and the reason. */
export async function openDatabase({ url, exclusive = false }: DatabaseOptions): Promise<Database> {
  const target = targetOf(url);
  let lock = UNLOCKED;
  try {
    if (exclusive) lock = await target.lock();
    const database = databaseOf(target.provider, await connect(target), lock);
    if (exclusive && target.provider === "sqlite") await ensureIntact(database);
    return database;
  } catch (error) {
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
    const name = `${host}${pathname}`;
    return { provider: "postgresql", name, factory: postgresqlFactory(url), lock: () => lockServer(url) };
  }
  const path = sqlitePath(url);
  return { provider: "sqlite", name: path, factory: sqliteFactory(path), lock: () => lockDatabase(path) };
}

export const sqlitePath = (url: string): string => url.replace(/^file:(\/\/(?=\/))?/, "");

/** One lock per file, also when links lead to it. */
const lockDatabase = async (path: string): Promise<Lock> => lockFile(await realpath(path).catch(() => path));

async function connect({ provider, factory }: DatabaseTarget): Promise<PrismaClient> {
  await migrate(provider, factory);
  const client = clientOf(provider, factory);
  await client.$connect();
  return client;
}

// Both clients are generated from one model definition (a test compares them) and accept the same calls. Their types differ
// in filters that the store does not use. This is the only cast between them.
function clientOf(provider: Provider, adapter: SqlMigrationAwareDriverAdapterFactory): PrismaClient {
  const options = { adapter, errorFormat: "minimal", transactionOptions: PATIENCE } as const;
  if (provider === "sqlite") return new PrismaClient(options);
  return new PostgresqlClient(options) as unknown as PrismaClient;
}

const Checked = z.tuple([z.object({ quick_check: z.string() })]);

/** A server that detects the damage later has run half of its tasks (D-052). */
async function ensureIntact(database: Database): Promise<void> {
  const [{ quick_check }] = Checked.parse(await database.query(QUICK_CHECK));
  if (quick_check === "ok") return;
  throw new Error(`the file is damaged; restore a backup (${quick_check})`);
}

function databaseOf(provider: Provider, client: PrismaClient, lock: Lock): Database {
  const text = provider === "sqlite" ? (sql: string) => sql : numbered;
  let isClosed = false;
  return {
    provider,
    client,
    execute: ({ sql, args }, session = client) => session.$executeRawUnsafe(text(sql), ...args),
    query: ({ sql, args }, session = client) => session.$queryRawUnsafe(text(sql), ...args),
    ensureOwned: async () => {
      // The client would reconnect, and another server may own the database by now.
      if (isClosed) throw new OrchError("database_unusable", "this server has closed its database");
      await lock.ensure();
    },
    async close() {
      isClosed = true;
      await client.$disconnect();
      await lock.release();
    },
  };
}
