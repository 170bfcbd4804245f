// What a wakeup says, with what it is written, and what comes of it.

/** `take_up`: the thread of this id may be claimed. `timer`: something of this id is due. */
export type WakeupKind = "take_up" | "timer";

type SqlText = { readonly sql: string; readonly args: readonly (string | number | boolean | null | Uint8Array)[] };

/** An open transaction of the store. What is written in it, one after the other, is rolled back with it. */
export type OpenTransaction = {
  readonly run: (statement: SqlText) => Promise<number>;
  readonly rows: (statement: SqlText) => Promise<unknown[]>;
  /** Resolves with its end: false when it is rolled back. */
  readonly committed: Promise<boolean>;
};
type Sql = Pick<OpenTransaction, "run" | "rows">;

/** A transaction that wakeups can be written in. `begin` commits when its work resolves, and rolls back when it rejects. */
export function wakingTransaction<S extends Sql, T>(
  begin: (work: (sql: S) => Promise<T>) => Promise<T>,
  work: (sql: S, within: OpenTransaction) => Promise<T>,
): Promise<T> {
  const { promise: committed, resolve } = Promise.withResolvers<boolean>();
  const done = begin((sql) => work(sql, { run: sql.run, rows: sql.rows, committed }));
  void done.then(
    () => resolve(true),
    () => resolve(false),
  );
  return done;
}

export type WakeupOptions = {
  readonly after_ms?: number;
  /** Of a `take_up`: only a server with all of them hears of it. */
  readonly labels?: readonly string[];
  readonly within?: OpenTransaction;
};

/** `again`: somebody is to look once more, in a second or later, here or on another server. */
export type Looked = "done" | "again";

export type WakeupDepth = { readonly ready: number; readonly later: number; readonly running: number };
