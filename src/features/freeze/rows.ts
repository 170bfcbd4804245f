// Writes and reads freezes. The commit of a freeze waits, on PostgreSQL, until the commits under way have ended (src/store/commit.ts).
import type { Quarantine } from "../../domain/quarantine.ts";
import type { Database } from "../../store/database.ts";
import type { Freeze as FreezeRow } from "../../store/generated/sqlite/client.ts";
import {
  type Applied,
  findRow,
  insertRow,
  made,
  read,
  readable,
  readPage,
  readRow,
  rewritten,
  sumAfter,
  updateRows,
  withSum,
} from "../../store/rows.ts";
import { guarded, rowOf, type Sql, type Statement } from "../../store/sql.ts";
import { Freeze, type FreezeChange, type FreezeRequest, isSameFreeze, type KeptFreezes } from "./freeze.ts";

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
