// Runs the statements of a SQLite file in a thread: a disk that hangs stops this thread, and the server goes on.
import { parentPort, workerData } from "node:worker_threads";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { DriverAdapterError } from "@prisma/driver-adapter-utils";
import type { SqliteOrder, SqliteReply, SqliteThreadData } from "./sqlite.ts";
import { goneText, identityAt } from "./sqlite-file.ts";

const { path, timeout } = workerData as SqliteThreadData;
const READS = /^\s*(select|pragma|rollback)\b/i;

const reply = (answer: SqliteReply): void => parentPort?.postMessage(answer);
const adapter = await new PrismaBetterSqlite3({ url: path, timeout }).connect();
const opened = identityAt(path);

/** SQLite goes on with a file that was deleted, and everything is lost with the end of the process. */
function ensureInPlace(sql: string): void {
  if (READS.test(sql) || identityAt(path) === opened) return;
  const message = goneText(path);
  throw new DriverAdapterError({ kind: "sqlite", extendedCode: 1, message, originalMessage: message });
}

async function run(order: SqliteOrder): Promise<unknown> {
  switch (order.method) {
    case "queryRaw":
      ensureInPlace(order.query.sql);
      return adapter.queryRaw(order.query);
    case "executeRaw":
      ensureInPlace(order.query.sql);
      return adapter.executeRaw(order.query);
    case "executeScript":
      return adapter.executeScript(order.script);
    case "dispose":
      return adapter.dispose();
  }
}

async function answer(order: SqliteOrder): Promise<void> {
  const { id } = order;
  try {
    reply({ id, value: await run(order) });
  } catch (error) {
    const { name, message, cause } = error as Error;
    reply({ id, fault: { name, message, cause } });
  }
}

parentPort?.on("message", (order: SqliteOrder) => void answer(order));
reply({ is_open: true });
