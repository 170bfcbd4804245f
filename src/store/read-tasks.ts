// The reads of tasks, and the renewal of their leases.
import { FLOW_ENGINE } from "../domain/labels.ts";
import type { Quarantine } from "../domain/quarantine.ts";
import type { TaskColumns, TaskFilter } from "../domain/task.ts";
import type { Store } from "../ports.ts";
import type { Database } from "./database.ts";
import { guarded } from "./fault.ts";
import type { TargetHold, Task as TaskRow } from "./generated/sqlite/client.ts";
import { findRow } from "./row-statements.ts";
import { columnsOf, readPage, readRow, taskOf, unverifiedOf } from "./rows.ts";
import { given, type Provider, type Statement, unverifiedTasks, type Value } from "./sql.ts";

type OnDamaged = Quarantine["add"];

const LIVE = ["accepted", "running"];

const COLUMNS = {
  task_id: true,
  intent: true,
  target_signature: true,
  status: true,
  backend: true,
  owner: true,
  lease_expires_at: true,
  runs_on: true,
  needs_level: true,
  created_at: true,
} as const;

/** No text within it contains an unescaped quotation mark. */
const VERIFIED_AS = {
  none: null,
  true: { contains: '"verified":true' },
  false: { contains: '"verified":false' },
} as const;

type Reading = "findTask" | "listHolds" | "listTasks" | "listTaskColumns" | "listUnverified";
type Tasks = Pick<Store, Reading | "renewLeases">;
type UnverifiedRow = Pick<TaskRow, "task_id" | "intent" | "target_signature" | "ended_at" | "contract">;

export const readTasks = ({ client: { task }, connection, provider }: Database, onDamaged: OnDamaged): Tasks => {
  const reading = {
    record: "task",
    idOf: (row: { task_id: string }) => row.task_id,
    parse: taskOf,
    onDamaged,
  } as const;
  return {
    findTask: guarded((task_id) => readRow(findRow(connection, "task", { task_id }), taskOf)),
    listHolds: guarded(() =>
      connection.rows<TargetHold>({ sql: "SELECT target_signature, task_id FROM target_hold", args: [] }),
    ),
    listTasks: guarded(({ limit, after, ...filter }) => {
      const { verified, since, q, waits_for, ...where } = filter;
      if (q !== undefined) {
        const search = { ...filter, q };
        const find = (page: { take: number; after: string | undefined }) =>
          connection.rows<TaskRow>(tasksWith(provider, { ...search, ...page }));
        return readPage({ limit, after }, find, reading);
      }
      return readPage(
        { limit, after },
        (page) =>
          task.findMany({
            where: {
              ...given(where),
              ...(verified !== undefined && { verification: VERIFIED_AS[verified] }),
              ...(waits_for !== undefined && { waiting: { contains: `"kind":"${waits_for}"` } }),
              ...(since !== undefined && { created_at: { gte: since } }),
              NOT: given({ task_id: page.after }),
            },
            orderBy: [{ created_at: "desc" }, { task_id: "desc" }],
            take: page.take,
            ...(page.after !== undefined && { cursor: { task_id: page.after } }),
          }),
        reading,
      );
    }),
    listTaskColumns: guarded(async ({ limit, after, status, unended = false, labelled = false, target_signature }) => {
      const isLabelled = { OR: [{ runs_on: { not: null } }, { backend: FLOW_ENGINE }] };
      const ofStatus = { status: { in: [...status] }, ...given({ target_signature }), ...(labelled && isLabelled) };
      const rows = await task.findMany({
        where: { ...(unended ? { OR: [ofStatus, { ended_at: null }] } : ofStatus), NOT: given({ task_id: after }) },
        select: COLUMNS,
        orderBy: [{ created_at: "asc" }, { task_id: "asc" }],
        take: limit,
        ...(after !== undefined && { cursor: { task_id: after } }),
      });
      // The query selects by status, so it is one of those.
      return rows.map(columnsOf) as TaskColumns[];
    }),
    listUnverified: guarded(({ limit, after, wants }) =>
      readPage(
        { limit, after },
        (page) => connection.rows<UnverifiedRow>(unverifiedTasks(wants, page.take, page.after)),
        { ...reading, parse: unverifiedOf, isWanted: ({ contract }) => contract[wants] !== undefined },
      ),
    ),
    renewLeases: guarded(async (owner, lease_expires_at) => {
      await task.updateMany({ where: { status: { in: LIVE }, owner }, data: { lease_expires_at } });
    }),
  };
};

// Tasks with a text in their id, intent or target. The typed client would match `%` and `_` of the text as patterns, and letters of another
// case on one database only.

type Search = TaskFilter & {
  readonly q: string;
  readonly take: number;
  readonly after: string | undefined;
};

/** Where a text begins in another one, and a text in small letters: both of ASCII only. */
const FUNCTIONS: Readonly<Record<Provider, readonly [position: string, small: (column: string) => string]>> = {
  sqlite: ["instr", (column) => `lower(${column})`],
  postgresql: ["strpos", (column) => `lower(${column} COLLATE "C")`],
};

const SEARCHED = ["task_id", "intent", "target_signature"];
const FILTERS = ["status", "intent", "target_signature", "sop_id"] as const;

/** Newest first. The index by time gives the order, so a full page ends the search. */
function tasksWith(provider: Provider, { q, take, after, since, verified, waits_for, ...given }: Search): Statement {
  const [position, small] = FUNCTIONS[provider];
  const text = q.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const found = SEARCHED.map((column) => `${position}(${small(column)}, ?) > 0`).join(" OR ");
  const conditions: (readonly [sql: string, ...args: Value[]])[] = [[`(${found})`, ...SEARCHED.map(() => text)]];
  for (const column of FILTERS) {
    const value = given[column];
    if (value !== undefined) conditions.push([`${column} = ?`, value]);
  }
  if (since !== undefined) conditions.push(["created_at >= ?", since]);
  if (verified === "none") conditions.push(["verification IS NULL"]);
  else if (verified !== undefined) conditions.push([`${position}(verification, ?) > 0`, `"verified":${verified}`]);
  if (waits_for !== undefined) conditions.push([`${position}(waiting, ?) > 0`, `"kind":"${waits_for}"`]);
  if (after !== undefined) {
    const before = "SELECT last.created_at, last.task_id FROM task last WHERE last.task_id = ?";
    conditions.push([`(created_at, task_id) < (${before})`, after]);
  }
  return {
    sql: `SELECT * FROM task WHERE ${conditions.map(([sql]) => sql).join(" AND ")} ORDER BY created_at DESC, task_id DESC LIMIT ?`,
    args: [...conditions.flatMap(([, ...args]) => args), take],
  };
}
