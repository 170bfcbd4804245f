// On PostgreSQL a commit is one statement, and so one round trip and a transaction by itself (D-312): the events are inserted and the rows
// changed by parts of it, and where one of them does not do what it should, a division by zero undoes them all.
import type { Change } from "../domain/change.ts";
import type { JournalEvent } from "../domain/journal.ts";
import { applyChange } from "./apply-change.ts";
import { isRefused } from "./fault.ts";
import type { KeptRows } from "./kept-rows.ts";
import type { Statement } from "./sql.ts";
import type { Sql } from "./sql-connection.ts";

type Parts = {
  readonly events: readonly JournalEvent[];
  /** The last one inserts the events; before it, the lock that it waits for. */
  readonly inserts: readonly Statement[];
  readonly changes: readonly Change[];
  readonly at: string;
};

/** False where it has written nothing: a row is not kept, an expectation does not hold, or another writer was there. */
export async function commitAtOnce(connection: Sql, kept: KeptRows, parts: Parts): Promise<boolean> {
  const { events, inserts, changes, at } = parts;
  const plan = planOn(kept);
  const { sql, keep } = kept.observed(plan.sql);
  for (const change of changes) if ((await applyChange(change, sql, at)) !== true) return false;
  try {
    await connection.rows(joined(inserts, events.length, plan.statements));
  } catch (error) {
    if (!isRefused(error)) throw error;
    for (const { row } of plan.statements) if (row !== undefined) kept.forget(row);
    return false;
  }
  keep();
  return true;
}

/** Sends nothing: notes what would be written, and reads what is kept. */
function planOn(kept: KeptRows): { readonly sql: Sql; readonly statements: readonly Statement[] } {
  const statements: Statement[] = [];
  const sql: Sql = {
    run: async (statement) => {
      statements.push(statement);
      return 1;
    },
    rows: async <T>({ row }: Statement) => [row && kept.find(row)].filter((found) => found != null) as T[],
  };
  return { sql, statements };
}

/** The n-th part is called `part<n>`. */
function joined(inserts: readonly Statement[], events: number, changes: readonly Statement[]): Statement {
  const parts = [...inserts, ...changes].map((part, at) => ({
    ...part,
    name: partName(at + 1),
    rows: at === inserts.length - 1 ? events : 1,
    relation: part.may_find_none === true ? "<=" : "=",
  }));
  const named = parts.map(
    ({ name, sql }) => `${name} AS ${isRead(sql) ? `MATERIALIZED (${sql})` : `(${sql} RETURNING 1)`}`,
  );
  const held = parts
    .map(({ name, relation, rows }) => `(SELECT count(*) FROM ${name}) ${relation} ${rows}`)
    .join(" AND ");
  // Not a constant, so that it is not computed before the parts are.
  const none = `(SELECT count(*) FROM ${partName(inserts.length)} WHERE FALSE)`;
  return {
    sql: `WITH ${named.join(", ")} SELECT CASE WHEN ${held} THEN 1 ELSE 1 / ${none} END AS done`,
    args: parts.flatMap(({ args }) => args),
  };
}

export const partName = (number: number): string => `part${number}`;

const isRead = (sql: string): boolean => sql.startsWith("SELECT");
