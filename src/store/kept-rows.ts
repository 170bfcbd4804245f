// The rows that this server has written or read last, so that it can change one without reading it (D-312). They are not believed: a
// change expects the sum of the row that it was made from, and is made again from the row itself where another writer was there.
// Once that has happened to a procedure, other servers use the same ones, and each is read before a change (D-400).
import type { Statement } from "./sql.ts";
import type { Sql } from "./sql-connection.ts";

type Row = Readonly<Record<string, unknown>>;
type Of = NonNullable<Statement["row"]>;

const MOST = 1_024;
/** In characters. A contract may have a mebibyte; a row with more than this is read before it is changed. */
const LARGEST = 32 * 1_024;
const KEYS: ReadonlyMap<string, string> = new Map([
  ["task", "task_id"],
  ["sop", "sop_id"],
  ["approval", "approval_id"],
]);

export type KeptRows = {
  /** Whether it is of a kind that is kept. */
  readonly isKept: (row: Of) => boolean;
  readonly find: (row: Of) => Row | null;
  /** Another writer may have changed it. */
  readonly doubt: (row: Of) => void;
  /** The same connection, and what to do when what was sent through it is committed. */
  readonly observed: (sql: Sql) => { readonly sql: Sql; readonly keep: () => void };
};

/** With a `most` of 0 nothing is kept. */
export function createKeptRows(most = MOST): KeptRows {
  // In the order of last use.
  const rows = new Map<string, Row>();
  /** A task has one server at a time: a doubt about one says nothing of the next. */
  let sharesProcedures = false;
  const find = (of: Of): Row | null =>
    sharesProcedures && of.table === "sop" ? null : (rows.get(keyOf(of) ?? "") ?? null);
  const put = (key: string, row: Row): void => {
    rows.delete(key);
    if (sizeOf(row) <= LARGEST) rows.set(key, row);
    for (const oldest of rows.keys()) {
      if (rows.size <= most) break;
      rows.delete(oldest);
    }
  };

  const observed = (sql: Sql) => {
    const seen = new Map<string, Row>();
    const see = ({ row: of }: Statement, found?: Row): void => {
      const key = of && keyOf(of);
      if (of === undefined || key === undefined) return;
      const before = found ?? seen.get(key) ?? find(of);
      const isMade = of.where === of.set;
      if (isMade) seen.set(key, { ...of.set });
      else if (before !== null) seen.set(key, { ...before, ...of.set });
    };
    return {
      sql: {
        run: async (statement: Statement) => {
          const changed = await sql.run(statement);
          if (changed > 0) see(statement);
          return changed;
        },
        rows: async <T>(statement: Statement) => {
          const found = await sql.rows<T>(statement);
          if (found[0] !== undefined) see(statement, found[0] as Row);
          return found;
        },
      },
      keep: () => {
        for (const [key, row] of seen) put(key, row);
      },
    };
  };

  return {
    ...{ isKept: (of) => keyOf(of) !== undefined, find, observed },
    doubt: (of) => {
      rows.delete(keyOf(of) ?? "");
      sharesProcedures ||= of.table === "sop";
    },
  };
}

/** In characters. */
export const sizeOf = (row: Row): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0);

/** Undefined for a statement on a row that is not kept, or that is not found by its id. */
function keyOf({ table, where }: Of): string | undefined {
  const id: unknown = { ...where }[KEYS.get(table) ?? ""];
  return typeof id === "string" ? `${table} ${id}` : undefined;
}
