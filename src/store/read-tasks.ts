// The reads of tasks, and the renewal of their leases.
import { FLOW_ENGINE } from "../domain/labels.ts";
import type { Quarantine } from "../domain/quarantine.ts";
import type { TaskColumns } from "../domain/task.ts";
import type { Store } from "../ports.ts";
import type { Database } from "./database.ts";
import { guarded } from "./fault.ts";
import type { TargetHold, Task as TaskRow } from "./generated/sqlite/client.ts";
import { findRow } from "./row-statements.ts";
import { columnsOf, readPage, taskOf, unverifiedOf } from "./rows.ts";
import { given, unverifiedTasks } from "./sql.ts";
import { tasksWith } from "./task-search.ts";

type OnDamaged = Quarantine["add"];

const LIVE = ["accepted", "running"];

const COLUMNS = {
  ...{ task_id: true, intent: true, target_signature: true, status: true },
  ...{ backend: true, owner: true, lease_expires_at: true, runs_on: true, needs_level: true, created_at: true },
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
    findTask: guarded(async (task_id) => {
      const row = await findRow(connection, "task", { task_id });
      return row === null ? null : taskOf(row);
    }),
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
