// Sends the store's own statements through the adapter that Prisma's client uses, without the client (D-246).
import {
  type ArgType,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQueryable,
  type SqlResultSet,
  type Transaction,
} from "@prisma/driver-adapter-utils";
import { OrchError } from "../domain/errors.ts";
import { numbered, type Provider, type Statement } from "./sql.ts";

export type Sql = {
  readonly run: (statement: Statement) => Promise<number>;
  /** As they are in the database: SQLite keeps a value of any type in any column. */
  readonly rows: <T = Readonly<Record<string, unknown>>>(statement: Statement) => Promise<T[]>;
};

export type SqlConnection = Sql & {
  /** Commits when `work` resolves, and rolls back when it rejects. `onWritten` is called when it is committed, maybe before it is on the disk. */
  readonly transaction: <T>(work: (sql: Sql) => Promise<T>, onWritten?: (result: T) => void) => Promise<T>;
  /** Statements without values and without an answer, in one transaction. Each is run to its end, also one that goes on in steps. */
  readonly script: (sql: string) => Promise<void>;
  /** Nothing more is sent. */
  readonly close: () => void;
};

/** The factory for the client, and a connection through the adapter that the client has got from it, until it is closed. */
export function sharedConnection(factory: SqlMigrationAwareDriverAdapterFactory, provider: Provider) {
  let adapter: SqlDriverAdapter | undefined;
  const shared: SqlMigrationAwareDriverAdapterFactory = {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      adapter = await factory.connect();
      return adapter;
    },
    connectToShadowDb: () => factory.connectToShadowDb(),
  };
  const connected = () => {
    if (adapter === undefined) throw new OrchError("database_unusable", "this server has closed its database");
    return adapter;
  };
  const close = (): void => {
    adapter = undefined;
  };
  return { factory: shared, connection: { ...connectionThrough(connected, provider), close } };
}

export function connectionThrough(adapter: () => SqlDriverAdapter, provider: Provider): Omit<SqlConnection, "close"> {
  const text = provider === "sqlite" ? (sql: string) => sql : numbered;
  const sqlOf = (queryable: () => SqlQueryable): Sql => ({
    run: async ({ sql, args }) =>
      queryable().executeRaw({ sql: text(sql), args: [...args], argTypes: args.map(UNTYPED) }),
    rows: async <T>({ sql, args }: Statement) =>
      rowsOf<T>(await queryable().queryRaw({ sql: text(sql), args: [...args], argTypes: args.map(UNTYPED) })),
  });
  return {
    ...sqlOf(adapter),
    script: async (sql) => adapter().executeScript(sql),
    async transaction(work, onWritten = () => undefined) {
      const transaction: MaybeWritten = await adapter().startTransaction();
      // With phantom queries commit() and rollback() send the statement; without them they only end the use of the connection.
      const send = async (sql: string) =>
        transaction.options.usePhantomQuery ? 0 : transaction.executeRaw({ sql, args: [], argTypes: [] });
      let result: Awaited<ReturnType<typeof work>>;
      try {
        result = await work(sqlOf(() => transaction));
        await send("COMMIT");
      } catch (error) {
        // A connection that is gone has rolled back already; what `work` met is the error.
        await send("ROLLBACK").catch(() => 0);
        await transaction.rollback();
        throw error;
      }
      const done = transaction.commit();
      await Promise.race([transaction.written ?? done, done]);
      onWritten(result);
      await done;
      return result;
    },
  };
}

/** What a transaction of SQLite has beside that of Prisma: it resolves when it is committed, before it is on the disk. */
export type WrittenFirst = { readonly written: Promise<void> };
type MaybeWritten = Transaction & Partial<WrittenFirst>;

const UNTYPED = (): ArgType => ({ scalarType: "unknown", arity: "scalar" });

const rowsOf = <T>({ columnNames, columnTypes, rows }: SqlResultSet): T[] =>
  rows.map(
    (row) => Object.fromEntries(columnNames.map((name, at) => [name, booleanOr(row[at], columnTypes[at])])) as T,
  );

/** SQLite keeps a boolean as 0 or 1. */
const booleanOr = (value: unknown, type: SqlResultSet["columnTypes"][number] | undefined): unknown =>
  type === ColumnTypeEnum.Boolean && typeof value === "number" ? value === 1 : value;
