// Opens the database that a URL names: SQLite by default, PostgreSQL for `postgresql://`. The rest of the store is written
// once and does not know which of the two it speaks to.
import { realpath } from "node:fs/promises";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { z } from "zod";
import { OrchError } from "../domain/errors.ts";
import { reasonOf } from "./fault.ts";
import { PrismaClient as PostgresqlClient } from "./generated/postgresql/client.ts";
import { PrismaClient } from "./generated/sqlite/client.ts";
import { type Lock, lockFile, lockServer } from "./lock.ts";
import { migrate } from "./migrate.ts";
import { postgresqlFactory } from "./postgresql.ts";
import { numbered, type Provider, type Statement } from "./sql.ts";
import { QUICK_CHECK, sqliteFactory } from "./sqlite.ts";

/** A client or an open transaction: what statements are sent through. */
export type Session = Pick<PrismaClient, "$executeRawUnsafe" | "$queryRawUnsafe">;

export type Database = {
  readonly provider: Provider;
  readonly client: PrismaClient;
  /** Sends a statement; resolves to the number of rows it changed. Not sent before it is awaited. */
  readonly execute: (statement: Statement, session?: Session) => ReturnType<PrismaClient["$executeRawUnsafe"]>;
  readonly query: (statement: Statement, session?: Session) => Promise<unknown>;
  /** Rejects with `database_unusable` when this server no longer has the database for itself. */
  readonly ensureOwned: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** `exclusive` for a server: refuses a database that another server uses. Tools and tests may read without it. */
export type DatabaseOptions = { readonly url: string; readonly exclusive?: boolean };

const UNLOCKED: Lock = { ensure: async () => undefined, release: async () => undefined };
// Beyond any wait for a turn that is not a fault.
const PATIENCE = { maxWait: 30_000, timeout: 30_000 };

type Place = {
  readonly provider: Provider;
  /** For messages: without a password. */
  readonly name: string;
  readonly factory: SqlMigrationAwareDriverAdapterFactory;
  readonly lock: () => Promise<Lock>;
};

/** Brings the database up to date first. Rejects with `database_unusable` and a sentence that tells why. */
export async function openDatabase({ url, exclusive = false }: DatabaseOptions): Promise<Database> {
  const place = placeOf(url);
  let lock = UNLOCKED;
  try {
    if (exclusive) lock = await place.lock();
    const database = databaseOf(place.provider, await connect(place), lock);
    if (exclusive && place.provider === "sqlite") await ensureIntact(database);
    return database;
  } catch (error) {
    await lock.release();
    if (error instanceof OrchError) throw error;
    throw new OrchError("database_unusable", `cannot use the database ${place.name}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

function placeOf(url: string): Place {
  if (/^postgres(ql)?:/.test(url)) {
    const { host, pathname } = new URL(url);
    const name = `${host}${pathname}`;
    return { provider: "postgresql", name, factory: postgresqlFactory(url), lock: () => lockServer(url) };
  }
  const path = sqlitePath(url);
  return { provider: "sqlite", name: path, factory: sqliteFactory(path), lock: () => lockDatabase(path) };
}

export const sqlitePath = (url: string): string => url.replace(/^file:(\/\/(?=\/))?/, "");

/** A file has one lock, whichever link it is reached by. */
const lockDatabase = async (path: string): Promise<Lock> => lockFile(await realpath(path).catch(() => path));

async function connect({ provider, factory }: Place): Promise<PrismaClient> {
  await migrate(provider, factory);
  const client = clientOf(provider, factory);
  await client.$connect();
  return client;
}

// Both clients are generated from one model definition (a test compares them) and take the same calls; the types differ
// in filters that the store does not use. This is the one place that pretends they are the same.
function clientOf(provider: Provider, adapter: SqlMigrationAwareDriverAdapterFactory): PrismaClient {
  const options = { adapter, errorFormat: "minimal", transactionOptions: PATIENCE } as const;
  if (provider === "sqlite") return new PrismaClient(options);
  return new PostgresqlClient(options) as unknown as PrismaClient;
}

const Checked = z.tuple([z.object({ quick_check: z.string() })]);

/** A server that found out later would have run half of its tasks. */
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
    execute: ({ sql, args }, session = client) => session.$executeRawUnsafe(text(sql), ...storable(args)),
    query: ({ sql, args }, session = client) => session.$queryRawUnsafe(text(sql), ...args),
    ensureOwned: async () => {
      // The client would connect again, and another server may own the database by now.
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

/**
 * PostgreSQL has no NUL in text, and SQLite would take it but not find it again. Half of a surrogate pair has no encoding
 * and would be stored as another character.
 */
function storable(args: Statement["args"]): Statement["args"] {
  const refused = args.some((value) => typeof value === "string" && (value.includes("\0") || !value.isWellFormed()));
  if (refused) {
    const message = "text with a NUL character or half of a surrogate pair cannot be stored; remove it";
    throw new OrchError("input_invalid", message);
  }
  return args;
}
