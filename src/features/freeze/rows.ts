// Writes and reads freezes. The commit of a freeze waits, on PostgreSQL, until the commits under way have ended (src/store/commit.ts).
import type { Quarantine } from "../../domain/quarantine.ts";
import type { Database } from "../../store/database.ts";
import { guarded } from "../../store/database-errors.ts";
import {
  type Applied,
  made,
  read,
  readable,
  readPage,
  readRow,
  rewritten,
  rowOf,
  sumAfter,
  withSum,
} from "../../store/rows.ts";
import type { Session } from "../../store/sql.ts";
import { Freeze, type FreezeChange, isSameFreeze, type KeptFreezes } from "./freeze.ts";

export const writeFreeze = (change: FreezeChange, session: Session): Promise<Applied> =>
  change.on === "freeze_created" ? createFreeze(change, session) : thawFreeze(change, session);

type Created = Extract<FreezeChange, { on: "freeze_created" }>;

/** Refused while the same freeze is open: writers are locked out, so that of two at once one is first. */
async function createFreeze({ freeze: created }: Created, { freeze }: Session): Promise<Applied> {
  const open = await freeze.findMany({ where: { thawed_at: null, reason: created.reason } });
  if (open.some((one) => isSameFreeze(one, created))) return false;
  return made(freeze.create({ data: withSum(rowOf(Freeze, created)), select: { freeze_id: true } }));
}

type Thawed = Extract<FreezeChange, { on: "freeze_thawed" }>;

async function thawFreeze({ freeze_id, set, damaged }: Thawed, { freeze }: Session): Promise<Applied> {
  const row = await freeze.findUnique({ where: { freeze_id } });
  if (row === null || row.thawed_at !== null) return false;
  const changed = rowOf(Freeze, damaged === undefined ? set : { freeze_id, ...damaged, ...set });
  const data = { ...changed, row_sum: sumAfter(row, changed) };
  return rewritten(freeze.updateMany({ where: { freeze_id, row_sum: row.row_sum }, data }));
}

const freezeOf = (row: { readonly freeze_id: string }): Freeze => read(Freeze, `freeze ${row.freeze_id}`, [], row);

export const readFreezes = ({ client: { freeze } }: Database, onDamaged: Quarantine["add"]): KeptFreezes => {
  const idOf = ({ freeze_id }: { freeze_id: string }) => freeze_id;
  const reading = { record: "freeze", idOf, parse: freezeOf, onDamaged } as const;
  return {
    findFreeze: guarded((freeze_id) => readRow(freeze.findUnique({ where: { freeze_id } }), freezeOf)),
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
