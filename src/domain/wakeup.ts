// What a wakeup says, with what it is written, and what comes of it.

/** `take_up`: the thread of this id may be claimed. `timer`: something of this id is due. */
export type WakeupKind = "take_up" | "timer";

type SqlText = { readonly sql: string; readonly args: readonly (string | number | boolean | null | Uint8Array)[] };

/** An open transaction of the store. What is written in it, one after the other, is rolled back with it. */
export type OpenTransaction = {
  readonly run: (statement: SqlText) => Promise<number>;
  readonly rows: (statement: SqlText) => Promise<unknown[]>;
  /** Resolves once it is committed, and rejects when it is rolled back. */
  readonly committed: Promise<unknown>;
};

export type WakeupOptions = {
  readonly after_ms?: number;
  /** Of a `take_up`: only a server with all of them hears of it. */
  readonly labels?: readonly string[];
  readonly within?: OpenTransaction;
};

/** `again`: somebody is to look once more, in a second or later, here or on another server. */
export type Looked = "done" | "again";

export type WakeupDepth = { readonly ready: number; readonly later: number; readonly running: number };
