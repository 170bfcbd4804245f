// Writes a wakeup in an open transaction of the store, which goes on as if nothing was where that fails: in PostgreSQL a statement
// that is refused would end the transaction, and a check that waits for the commit would refuse the commit.
import type { Db } from "pg-boss";
import { z } from "zod";
import type { OpenTransaction } from "../domain/wakeup.ts";
import { inTime } from "./limits.ts";
import { SCHEMA } from "./open-boss.ts";

// Another transaction may be writing the same wakeup.
const LOCK_WAIT_MS = 500;
const WRITE_MS = 1_000;

const OPEN = `SAVEPOINT orch_wakeup; SET LOCAL lock_timeout = '${LOCK_WAIT_MS}ms'`;
const KEEP = `SET CONSTRAINTS ${SCHEMA}.q_fkey IMMEDIATE; SET LOCAL lock_timeout TO DEFAULT; RELEASE SAVEPOINT orch_wakeup`;
const UNDO = "ROLLBACK TO SAVEPOINT orch_wakeup; RELEASE SAVEPOINT orch_wakeup";

const Values = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Rejects when it was not written, or not within a second. The transaction may be used again then. */
export async function writeWithin(within: OpenTransaction, write: (db: Db) => Promise<unknown>): Promise<void> {
  let isOpen = true;
  const executeSql = async (sql: string, values: unknown[] = []) => {
    if (!isOpen) throw new Error("the transaction of this wakeup is over");
    // The store writes its own placeholders as question marks.
    if (sql.includes("?")) throw new Error("this statement of pg-boss has a question mark");
    return { rows: await within.rows({ sql, args: Values.parse(values) }) };
  };
  await send(within, OPEN);
  try {
    if (!(await inTime(write({ executeSql }), WRITE_MS))) throw new Error("a wakeup was not written in time");
    await send(within, KEEP);
  } catch (error) {
    isOpen = false;
    await send(within, UNDO);
    if (!isBeingWritten(error)) throw error;
  }
}

const LockTimeout = z.object({ cause: z.object({ originalCode: z.literal("55P03") }) });
/** By another transaction: it arrives in any case, unless that one is rolled back. */
const isBeingWritten = (error: unknown): boolean => LockTimeout.safeParse(error).success;

/** Without values several statements are one message. */
const send = (within: OpenTransaction, sql: string): Promise<number> => within.run({ sql, args: [] });
