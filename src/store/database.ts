// Opens the database of a URL: SQLite by default, PostgreSQL for `postgresql://`. The rest of the store is written once for
// both.
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { OrchError, wordsOf } from "../domain/errors.ts";
import type { Release } from "../domain/release.ts";
import type { ServerSelf } from "../domain/server.ts";
import type { Servers } from "../ports.ts";
import { cannotUse, isCorrupt, usable } from "./database-errors.ts";
import { targetOf } from "./database-target.ts";
import { PrismaClient as PostgresqlClient } from "./generated/postgresql/client.ts";
import { type Prisma, PrismaClient } from "./generated/sqlite/client.ts";
import { type BeforeMigration, migrate } from "./migrate.ts";
import { refuseRestoring } from "./migration-plan.ts";
import type { Owner, Owning, Warn } from "./ownership.ts";
import { alone, taken } from "./peers.ts";
import type { Heard } from "./postgresql-session.ts";
import { hold, type Provider, type Session } from "./sql.ts";
import { damageOf } from "./sqlite-file.ts";

export type Database = {
  readonly provider: Provider;
  readonly client: PrismaClient;
  /** Commits when `work` resolves, and rolls back when it rejects. `onWritten` is called when it is committed, maybe before it is on the disk. */
  readonly transaction: <T>(work: (session: Session) => Promise<T>, onWritten?: (result: T) => void) => Promise<T>;
  /** Statements without values and without an answer, in one transaction. Each is run to its end, also one that goes on in steps. */
  readonly script: (sql: string) => Promise<void>;
  /** Of every event that this server writes: it still owns the database. */
  readonly conditions: readonly Prisma.Sql[];
  /** This server, and those that had the database before or have it too. */
  readonly servers: Servers;
  /** Calls `heard` with what other servers announce; null when anything may have been. */
  readonly hear: (heard: Heard) => void;
  /** Throws `fenced` when this server is known to have lost the database, `database_unusable` when it is closed. */
  readonly ensureOwned: () => void;
  /** Asks the database whether this server still owns it, within the transaction. Rejects with `fenced` when it does not. */
  readonly confirmOwned: (session?: Session) => Promise<void>;
  /**
   * Writes that this server lives. Rejects with `fenced`, or with `database_unusable` and what an operator has to mend. Resolves with
   * whether this server was asked to drain.
   */
  readonly heartbeat: () => Promise<boolean>;
  /** Rejects with `database_unusable` while its disk is nearly full. What can still be committed is committed all the same. */
  readonly ensureRoom: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type DatabaseOptions = {
  readonly url: string;
  /** For a server: refuses a database that another server uses. Tools and tests may read without it. */
  readonly exclusive?: boolean;
  readonly beforeMigration?: BeforeMigration | undefined;
  /** For the restore itself: into a database that it has marked. */
  readonly restores?: boolean;
  /** Of this version; tests have others. */
  readonly release?: Release | undefined;
  readonly self?: ServerSelf | undefined;
  /** Called once, when another server has taken over from this one. */
  readonly onFenced?: ((reason: string) => void) | undefined;
  readonly warn?: Warn | undefined;
};

// Longer than any wait for another transaction that is not a fault.
const PATIENCE = { maxWait: 30_000, timeout: 30_000 };

/** Applies pending migrations first. Rejects with `database_unusable` and the reason. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, exclusive = false, self = NAMELESS, onFenced, beforeMigration, restores = false, release } = options;
  const warn = options.warn ?? (() => undefined);
  const target = targetOf(url);
  const { provider } = target;
  let owning: Owning | undefined;
  let client: PrismaClient | undefined;
  try {
    if (exclusive) owning = await target.owns();
    if (provider === "postgresql" && !restores) await refuseRestoring(target.factory);
    const migrating = () => migrate(provider, target.migrations, { before: beforeMigration, release });
    await (owning?.alone(migrating) ?? migrating());
    const { factory, ...link } = linked(target.factory);
    client = clientOf(provider, factory);
    await client.$connect();
    const opened = { provider, client, ...link };
    const owner = `${hostname()}/${process.pid}/${randomUUID()}`;
    return databaseOf({ ...opened, owner, ownership: await owning?.own(client, { owner, self, warn }), onFenced });
  } catch (error) {
    await client?.$disconnect();
    await owning?.release();
    throw cannotUse(target.name, isCorrupt(error) ? damageOf(target.name, wordsOf(error)) : error);
  }
}

/** A server that others know nothing of, such as one for a trial. */
const NAMELESS: ServerSelf = { name: hostname(), labels: [] };

// Both clients are generated from one model definition (a test compares them) and accept the same calls. Their types differ
// in filters that the store does not use. This is the only cast between them.
function clientOf(provider: Provider, adapter: SqlMigrationAwareDriverAdapterFactory): PrismaClient {
  const options = { adapter, errorFormat: "minimal", transactionOptions: PATIENCE } as const;
  if (provider === "sqlite") return new PrismaClient(options);
  return new PostgresqlClient(options) as unknown as PrismaClient;
}

type Opened = Pick<DatabaseOptions, "onFenced"> &
  Link & {
    readonly provider: Provider;
    readonly client: PrismaClient;
    readonly owner: string;
    readonly ownership?: Owner | undefined;
  };

function databaseOf({ provider, client, owner, ownership, onFenced, ...link }: Opened): Database {
  let isClosed = false;
  let isFenced = false;
  const ensureOwned = () => {
    // The client would reconnect, and another server may own the database by now.
    if (isClosed) throw closed();
    if (isFenced) throw taken();
  };
  const confirm = (isOurs: boolean) => {
    if (isOurs) return;
    if (!isFenced) onFenced?.(taken().message);
    isFenced = true;
    throw taken();
  };
  return {
    provider,
    client,
    transaction: transactionsOf(client, link.whenWritten),
    script: link.script,
    ensureOwned,
    conditions: ownership === undefined ? [] : [ownership.condition],
    servers: ownership?.servers ?? aTool(owner),
    hear: ownership?.hear ?? (() => undefined),
    confirmOwned: async (session = client) =>
      confirm(ownership === undefined || (await hold(session, [ownership.condition]))),
    heartbeat: () =>
      usable(
        (async () => {
          ensureOwned();
          if (ownership === undefined) return false;
          await ownership.ensureInPlace();
          const beaten = await ownership.beat();
          confirm(beaten !== null);
          return beaten?.drains ?? false;
        })(),
      ),
    ensureRoom: async () => ownership?.ensureRoom(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      // A successor that cannot read it waits until the leases have run out.
      if (!isFenced) await ownership?.stop().catch(() => undefined);
      link.close();
      await client.$disconnect();
      await ownership?.release();
    },
  };
}

/** It claims nothing. */
const aTool = (owner: string): Servers =>
  alone({ owner, predecessor: "none", predecessor_process: null, clock: () => new Date() });

// The adapter that the client has got from its factory, until it is closed.

type Link = {
  readonly script: Database["script"];
  /** Resolves when the transaction that is open now is committed, maybe before it is on the disk. Undefined where that is the same. */
  readonly whenWritten: (() => Promise<void>) | undefined;
  /** Nothing more is sent: the client would connect again. */
  readonly close: () => void;
};

/** What the factory of SQLite has beside that of Prisma. */
type Factory = SqlMigrationAwareDriverAdapterFactory & Partial<Pick<Link, "whenWritten">>;

export function linked(factory: Factory): Link & { readonly factory: SqlMigrationAwareDriverAdapterFactory } {
  let isClosed = false;
  let adapter: SqlDriverAdapter | undefined;
  return {
    factory: {
      provider: factory.provider,
      adapterName: factory.adapterName,
      connect: async () => {
        if (isClosed) throw closed();
        adapter = await factory.connect();
        return adapter;
      },
      connectToShadowDb: () => factory.connectToShadowDb(),
    },
    script: async (sql) => {
      if (adapter === undefined || isClosed) throw closed();
      await adapter.executeScript(sql);
    },
    whenWritten: factory.whenWritten,
    close: () => {
      isClosed = true;
    },
  };
}

const closed = (): OrchError => new OrchError("database_unusable", "this server has closed its database");

export const transactionsOf =
  (client: PrismaClient, whenWritten: Link["whenWritten"]): Database["transaction"] =>
  (work, onWritten = () => undefined) =>
    client.$transaction(async (session) => {
      const written = whenWritten?.();
      const result = await work(session);
      void written?.then(() => onWritten(result));
      return result;
    });
