// The reads of freezes.
import type { Quarantine } from "../domain/quarantine.ts";
import type { Store } from "../ports.ts";
import type { Database } from "./database.ts";
import { guarded } from "./fault.ts";
import { findRow } from "./row-statements.ts";
import { freezeOf, readable, readPage } from "./rows.ts";

type Freezes = Pick<Store, "findFreeze" | "listFreezes" | "openFreezes">;

export const readFreezes = ({ client: { freeze }, connection }: Database, onDamaged: Quarantine["add"]): Freezes => {
  const idOf = ({ freeze_id }: { freeze_id: string }) => freeze_id;
  const reading = { record: "freeze", idOf, parse: freezeOf, onDamaged } as const;
  return {
    findFreeze: guarded(async (freeze_id) => {
      const row = await findRow(connection, "work_freeze", { freeze_id });
      return row === null ? null : freezeOf(row);
    }),
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
