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

/** False where it has written nothing: an expectation does not hold, or another writer was there. */
export async function commitAtOnce(connection: Sql, kept: KeptRows, parts: Parts): Promise<boolean> {
  const tried = await tryAtOnce(connection, kept, parts);
  // Another server may have changed a row since. A transaction would hold the lock of messages while it reads that.
  return (tried === "by_kept_rows" ? await tryAtOnce(connection, kept, parts) : tried) === "done";
}

/** Refused by rows that were kept, nothing of which is kept any more; or by those that were just read. */
type Tried = "done" | "by_kept_rows" | "refused";

async function tryAtOnce(connection: Sql, kept: KeptRows, parts: Parts): Promise<Tried> {
  const { events, inserts, changes, at } = parts;
  const plan = planOn(connection, kept);
  const { sql, keep } = kept.observed(plan.sql);
  for (const change of changes) if ((await applyChange(change, sql, at)) !== true) return plan.refused();
  try {
    await connection.rows(joined(inserts, events.length, plan.statements));
  } catch (error) {
    if (!isRefused(error)) throw error;
    return plan.refused();
  }
  keep();
  return "done";
}

/** Writes nothing: notes what would be written, and reads the rows that are not kept. */
function planOn(connection: Sql, kept: KeptRows) {
  const statements: Statement[] = [];
  const believed: NonNullable<Statement["row"]>[] = [];
  const sql: Sql = {
    run: async (statement) => {
      statements.push(statement);
      return 1;
    },
    rows: async <T>(statement: Statement) => {
      const { row } = statement;
      if (row === undefined || !kept.isKept(row)) return [];
      const found = kept.find(row);
      if (found === null) return connection.rows<T>(statement);
      believed.push(row);
      return [found] as T[];
    },
  };
  const refused = (): Tried => {
    for (const row of believed) kept.doubt(row);
    return believed.length > 0 ? "by_kept_rows" : "refused";
  };
  return { sql, statements, refused };
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
