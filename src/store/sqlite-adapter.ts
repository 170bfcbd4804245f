// Sends the statements of a SQLite file to the thread that runs them, and keeps their order.
import { Worker } from "node:worker_threads";
import {
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlQuery,
  type SqlResultSet,
} from "@prisma/driver-adapter-utils";
import { OrchError } from "../domain/errors.ts";
import { own } from "../own-file.ts";

export type SqliteThreadData = { readonly path: string; readonly timeout: number };

type Statement =
  | { readonly method: "queryRaw" | "executeRaw"; readonly query: SqlQuery }
  | { readonly method: "executeScript"; readonly script: string }
  | { readonly method: "dispose" };

export type SqliteOrder = Statement & { readonly id: number };

type Fault = {
  readonly name: string;
  readonly message: string;
  readonly cause: unknown;
};

export type SqliteReply =
  | { readonly is_open: true }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: Fault };

export type SqliteAdapter = Pick<SqlDriverAdapter, "queryRaw" | "executeRaw" | "executeScript" | "dispose"> & {
  readonly opened: () => Promise<void>;
};

export function createSqliteAdapter(data: SqliteThreadData): SqliteAdapter {
  const thread = new Worker(new URL(own("./sqlite-thread.ts"), import.meta.url), { workerData: data, execArgv: [] });
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<void>();
  let failure: unknown = null;
  let last = 0;

  /** Nothing is answered from now on: what was sent may have been done. */
  const fail = (cause: unknown): void => {
    failure ??= cause;
    ready.reject(failure);
    for (const { reject } of asked.values()) reject(failure);
    asked.clear();
  };
  ready.promise.catch(() => undefined);
  thread.on("message", (reply: SqliteReply) => {
    if ("is_open" in reply) return ready.resolve();
    const one = asked.get(reply.id);
    asked.delete(reply.id);
    if (asked.size === 0) thread.unref();
    if ("value" in reply) one?.resolve(reply.value);
    else one?.reject(errorOf(reply.fault));
  });
  thread.on("error", fail);
  thread.on("exit", () => fail(new OrchError("database_unusable", "the thread of the database has ended")));
  thread.unref();

  const ask = <T>(statement: Statement): Promise<T> => {
    if (failure !== null) return Promise.reject(failure);
    const id = ++last;
    const one = Promise.withResolvers<unknown>();
    asked.set(id, one);
    thread.ref();
    thread.postMessage({ ...statement, id } satisfies SqliteOrder);
    return one.promise as Promise<T>;
  };

  return {
    opened: () => {
      thread.ref();
      return ready.promise.finally(() => asked.size === 0 && thread.unref());
    },
    queryRaw: (query) => ask<SqlResultSet>({ method: "queryRaw", query }),
    executeRaw: (query) => ask<number>({ method: "executeRaw", query }),
    executeScript: (script) => ask<void>({ method: "executeScript", script }),
    dispose: async () => {
      if (failure === null) await ask<void>({ method: "dispose" });
      await thread.terminate();
    },
  };
}

function errorOf({ name, message, cause }: Fault): Error {
  if (name === "DriverAdapterError")
    return new DriverAdapterError(cause as ConstructorParameters<typeof DriverAdapterError>[0]);
  return Object.assign(new Error(message, { cause }), { name });
}
