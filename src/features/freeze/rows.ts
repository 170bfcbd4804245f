// Writes and reads freezes. How a freeze and a first step exclude each other (D-320): the commit of a first step inserts its events only
// while no freeze is open that it does not know to let it pass; the commit of a freeze waits, on PostgreSQL, until the commits under way
// have ended.
import type { Quarantine } from "../../domain/quarantine.ts";
import type { Commit } from "../../ports.ts";
import { rowOf } from "../../store/columns.ts";
import type { Database } from "../../store/database.ts";
import { guarded } from "../../store/fault.ts";
import type { Freeze as FreezeRow } from "../../store/generated/sqlite/client.ts";
import { type Applied, findRow, insertRow, made, rewritten, updateRows } from "../../store/row-statements.ts";
import { sumAfter, withSum } from "../../store/row-sum.ts";
import { read, readable, readPage, readRow } from "../../store/rows.ts";
import { LOCK_WRITERS, type Provider, type Statement } from "../../store/sql.ts";
import type { Sql } from "../../store/sql-connection.ts";
import { Freeze, type FreezeChange, type FreezeRequest, isSameFreeze, type KeptFreezes } from "./freeze.ts";

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

export async function writeFreeze(change: FreezeChange, sql: Sql): Promise<Applied> {
  if (change.on === "freeze_created") {
    const insert = await createFreeze(change, sql);
    return insert === null ? false : made(sql, insert);
  }
  const update = thawFreeze(change, await findRow(sql, "work_freeze", { freeze_id: change.freeze_id }));
  return update === null ? false : rewritten(sql, update);
}

type Created = Extract<FreezeChange, { on: "freeze_created" }>;

/** Null while the same freeze is open: writers are locked out, so that of two at once one is first. */
async function createFreeze({ freeze }: Created, sql: Sql): Promise<Statement | null> {
  const open = await sql.rows<FreezeRequest>({
    sql: "SELECT intent, target_signature, except_diagnostics, reason FROM work_freeze WHERE thawed_at IS NULL AND reason = ?",
    args: [freeze.reason],
  });
  return open.some((one) => isSameFreeze(one, freeze))
    ? null
    : insertRow("work_freeze", withSum(rowOf(Freeze, freeze)));
}

type Thawed = Extract<FreezeChange, { on: "freeze_thawed" }>;

function thawFreeze({ freeze_id, set, damaged }: Thawed, row: FreezeRow | null): Statement | null {
  if (row === null || row.thawed_at !== null) return null;
  const data = rowOf(Freeze, damaged === undefined ? set : { freeze_id, ...damaged, ...set });
  const summed = { ...data, row_sum: sumAfter(row, data) };
  return updateRows("work_freeze", summed, { freeze_id, row_sum: row.row_sum });
}

/** A first step that was refused, where what it is chained to is there: a freeze was open. */
export async function heldOrLost({ unless_frozen }: Commit, sql: Sql, link: readonly Statement[]) {
  if (unless_frozen === undefined) return "lost_tail";
  const there = ["TRUE", ...link.map((condition) => condition.sql)].join(" AND ");
  const args = link.flatMap((condition) => condition.args);
  return (await sql.rows({ sql: `SELECT 1 AS held WHERE ${there}`, args })).length > 0 ? "held" : "lost_tail";
}

const freezeOf = (row: { readonly freeze_id: string }): Freeze => read(Freeze, `freeze ${row.freeze_id}`, [], row);

export const readFreezes = (
  { client: { freeze }, connection }: Database,
  onDamaged: Quarantine["add"],
): KeptFreezes => {
  const idOf = ({ freeze_id }: { freeze_id: string }) => freeze_id;
  const reading = { record: "freeze", idOf, parse: freezeOf, onDamaged } as const;
  return {
    findFreeze: guarded((freeze_id) => readRow(findRow(connection, "work_freeze", { freeze_id }), freezeOf)),
    listFreezes: guarded((page) =>
      readPage(
        page,
        ({ take, after }) =>
          freeze.findMany({
            orderBy: [{ thawed_at: { sort: "desc", nulls: "first" } }, { created_at: "desc" }, { freeze_id: "desc" }],
            take,
            ...(after !== undefined && { cursor: { freeze_id: after }, skip: 1 }),
          }),
        reading,
      ),
    ),
    openFreezes: guarded(async () => {
      const orderBy = [{ created_at: "asc" as const }, { freeze_id: "asc" as const }];
      const rows = await freeze.findMany({ where: { thawed_at: null }, orderBy });
      const freezes = readable(rows, reading);
      const known = new Set(freezes.map(idOf));
      return { freezes, unreadable: rows.map(idOf).filter((id) => !known.has(id)) };
    }),
  };
};
