// Makes what holds tasks and a first step exclude each other (D-320): the commit of a first step inserts its events only while no freeze is
// open that it does not know to let it pass; the commit of a freeze waits, on PostgreSQL, until the commits under way have ended.
import type { Commit } from "../ports.ts";
import { LOCK_WRITERS, type Provider, type Statement } from "./sql.ts";
import type { Sql } from "./sql-connection.ts";

/** Conditions of the events. One statement decides both: a commit costs nothing more. */
export function unlessHeld({ unless_frozen }: Pick<Commit, "unless_frozen">): readonly Statement[] {
  if (unless_frozen === undefined) return [];
  const known = unless_frozen.map(() => "?").join(", ");
  const others = known === "" ? "" : ` AND freeze_id NOT IN (${known})`;
  return [{ sql: `NOT EXISTS (SELECT 1 FROM work_freeze WHERE thawed_at IS NULL${others})`, args: unless_frozen }];
}

/**
 * Whether the commit lets no other one write while it does. A commit that waits for the order of messages may have its lock on the
 * table already: waiting for that order too would never end, and with the table locked the order is kept.
 */
export const isAlone = ({ changes = [] }: Commit): boolean => changes.some(({ on }) => on === "freeze_created");

/** On SQLite a transaction is alone anyway. */
export async function lockWriters(sql: Sql, provider: Provider): Promise<void> {
  if (provider === "sqlite") return;
  for (const statement of LOCK_WRITERS) await sql.run({ sql: statement, args: [] });
}

/** A first step that was refused, where what it is chained to is there: a freeze was open. */
export async function heldOrLost({ unless_frozen }: Commit, sql: Sql, link: readonly Statement[]) {
  if (unless_frozen === undefined) return "lost_tail";
  const there = ["TRUE", ...link.map((condition) => condition.sql)].join(" AND ");
  const args = link.flatMap((condition) => condition.args);
  return (await sql.rows({ sql: `SELECT 1 AS held WHERE ${there}`, args })).length > 0 ? "held" : "lost_tail";
}
