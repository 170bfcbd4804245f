// Writes one row, and says whether it could.
import { kindOf } from "./fault.ts";
import type { Statement } from "./sql.ts";
import type { Sql } from "./sql-connection.ts";

/** `raced`: the row was changed between the two statements. */
export type Applied = boolean | "raced";

/** The sum is over what was read, so the update expects the sum that was read with it. */
export const rewritten = (sql: Sql, update: Statement): Promise<Applied> =>
  holds(sql.run(update).then((count) => (count > 0 ? true : "raced")));

export const made = (sql: Sql, statement: Statement): Promise<Applied> => holds(sql.run(statement).then(() => true));

/** A unique index refuses a write when its id or version exists, or when another SOP of the key is active. */
async function holds(write: Promise<Applied>): Promise<Applied> {
  try {
    return await write;
  } catch (error) {
    if (kindOf(error) === "UniqueConstraintViolation") return false;
    throw error;
  }
}
