// Implements the Store port on Prisma, for SQLite and PostgreSQL: the reads, the renewal of leases, and commits. Every operation rejects
// with `database_unusable` when the database fails, for example on a full disk; nothing is half done then.

import { FLOW_ENGINE } from "../domain/contract.ts";
import { CheckLook } from "../domain/proof.ts";
import type { Quarantine } from "../domain/quarantine.ts";
import type { TaskColumns, TaskFilter } from "../domain/task.ts";
import { readFeatures } from "../features/rows.ts";
import type { Clock, Store } from "../ports.ts";
import { type ArchiveReader, createArchiveReader, readArchived } from "./archive-file.ts";
import { createCommit, createLateAppend } from "./commit.ts";
import type { Database } from "./database.ts";
import { readChains } from "./examine-database.ts";
import type { Approval as ApprovalRow, TargetHold, Task as TaskRow } from "./generated/sqlite/client.ts";
import { readScores } from "./read-scores.ts";
import { readServers } from "./read-servers.ts";
import {
  approvalOf,
  columnsOf,
  eventOf,
  findActiveSop,
  findRow,
  isWhole,
  journalOf,
  read,
  readable,
  readPage,
  readRow,
  sopOf,
  taskOf,
  unverifiedOf,
  wholeEventOf,
} from "./rows.ts";
import {
  approvalsOf,
  eventsAfter,
  given,
  guarded,
  type Provider,
  type Statement,
  unverifiedTasks,
  type Value,
} from "./sql.ts";

type StoreDeps = {
  readonly database: Database;
  readonly clock: Clock;
  /** Where the journals of archived tasks are; null where there is no archive. */
  readonly archive_dir?: string | null | undefined;
  /** Hears of each row that cannot be read and is left out of a list. */
  readonly onDamaged?: Quarantine["add"];
};

export function createStore({ database, clock, archive_dir = null, onDamaged = () => undefined }: StoreDeps): Store {
  return {
    commit: guarded(createCommit({ database, clock })),
    appendLateResult: guarded(createLateAppend({ database, clock })),
    ...readTasks(database, onDamaged),
    ...readSops(database, onDamaged),
    ...readApprovals(database, onDamaged),
    ...readEvents(database, { onDamaged, archive: createArchiveReader(archive_dir) }),
    ...readCheckLooks(database),
    ...readScores(database),
    ...readChains(database),
    ...readFeatures(database, onDamaged),
    ...readServers(database),
    ...readArchived(database),
  };
}

type OnDamaged = Quarantine["add"];

/** The database ensures that at most one SOP is active per intent and target signature. */
type Sops = Pick<Store, "findSop" | "findActiveSop" | "listSops" | "mostUsedSops">;

const readSops = ({ client: { sop }, connection }: Database, onDamaged: OnDamaged): Sops => {
  const reading = { record: "sop", idOf: (row: { sop_id: string }) => row.sop_id, parse: sopOf, onDamaged } as const;
  return {
    findSop: guarded((sop_id) => readRow(findRow(connection, "sop", { sop_id }), sopOf)),
    findActiveSop: guarded((intent, target_signature) =>
      readRow(findActiveSop(connection, { intent, target_signature }), sopOf),
    ),
    listSops: guarded(({ limit, after, intent, target_signature, status }) =>
      readPage(
        { limit, after },
        (page) =>
          sop.findMany({
            where: { ...given({ intent, target_signature, status }), NOT: given({ sop_id: page.after }) },
            orderBy: [{ created_at: "desc" }, { sop_id: "desc" }],
            take: page.take,
            ...(page.after !== undefined && { cursor: { sop_id: page.after } }),
          }),
        reading,
      ),
    ),
    mostUsedSops: guarded(async (limit) => {
      const orderBy = [
        { success_count: "desc" as const },
        { created_at: "desc" as const },
        { sop_id: "desc" as const },
      ];
      return readable(await sop.findMany({ where: { status: "active" }, orderBy, take: limit }), reading);
    }),
  };
};

type Approvals = Pick<Store, "findApproval" | "listApprovals" | "expiringApprovals">;

const readApprovals = ({ client: { approval }, connection }: Database, onDamaged: OnDamaged): Approvals => {
  const idOf = (row: { approval_id: string }) => row.approval_id;
  const reading = { record: "approval", idOf, parse: approvalOf, onDamaged } as const;
  return {
    findApproval: guarded((approval_id) => readRow(findRow(connection, "approval", { approval_id }), approvalOf)),
    listApprovals: guarded(({ limit, after, thread_id, status }) =>
      readPage(
        { limit, after },
        (page) =>
          page.after === undefined && thread_id !== undefined
            ? connection.rows<ApprovalRow>(approvalsOf(thread_id, status, page.take))
            : approval.findMany({
                where: { ...given({ thread_id, status }), NOT: given({ approval_id: page.after }) },
                orderBy: [{ created_at: "asc" }, { approval_id: "asc" }],
                take: page.take,
                ...(page.after !== undefined && { cursor: { approval_id: page.after } }),
              }),
        reading,
      ),
    ),
    expiringApprovals: guarded(async (at) => {
      const status = "pending";
      const orderBy = { expires_at: "asc" } as const;
      const [due, later] = await Promise.all([
        approval.findMany({ where: { status, expires_at: { lte: at } }, orderBy }),
        approval.findFirst({ where: { status, expires_at: { gt: at } }, orderBy }),
      ]);
      return { due: readable(due, reading), next: later?.expires_at ?? null };
    }),
  };
};

const readCheckLooks = ({ connection }: Database): Pick<Store, "findCheckLook"> => ({
  findCheckLook: guarded(async (kind, digest) => {
    const row = await findRow(connection, "check_look", { kind, digest });
    // What is kept of a check is found out again.
    return row === null || !isWhole(row) ? null : read(CheckLook, `check ${digest}`, ["body"], row);
  }),
});

/** One thread in order, or the messages to the supervisor across all threads. */
type EventRow = Parameters<typeof eventOf>[0] & { readonly cursor: number };

const messageOf = (row: EventRow) => ({ cursor: row.cursor, event: wholeEventOf(row) });
const idOf = ({ thread_id, seq }: EventRow) => `${seq} of ${thread_id}`;

type EventReading = {
  readonly onDamaged: OnDamaged;
  readonly archive: ArchiveReader;
};

const readEvents = (
  { client: { journalEvent, delivery }, connection }: Database,
  { onDamaged, archive }: EventReading,
): Pick<Store, "readJournal" | "readMessages" | "lastMessage" | "findDelivered"> => ({
  readJournal: guarded(async (thread_id, page) => {
    const { after = 0, limit } = page ?? {};
    const kept = await connection.rows<EventRow>(eventsAfter(thread_id, after, limit));
    const [first] = kept;
    // What is missing before the first one is in a file, or it is damage.
    const rows =
      first === undefined || first.seq === after + 1
        ? kept
        : await archive.before(connection, { thread_id, after }, kept);
    const read = limit === undefined ? rows : rows.slice(0, limit);
    return page === undefined ? journalOf(read) : read.map(eventOf);
  }),
  readMessages: guarded(async (after, limit) => {
    for (let from = after; ; ) {
      const where = { message: true, cursor: { gt: from } };
      const rows = await journalEvent.findMany({ where, orderBy: { cursor: "asc" }, take: limit });
      const messages = readable(rows, { record: "event", idOf, parse: messageOf, onDamaged });
      const last = rows.at(-1);
      // A reader goes on after the last message that it was given.
      if (messages.length > 0 || last === undefined || rows.length < limit) return messages;
      from = last.cursor;
    }
  }),
  lastMessage: guarded(async () => {
    const query = { where: { message: true }, orderBy: { cursor: "desc" }, select: { cursor: true } } as const;
    return (await journalEvent.findFirst(query))?.cursor ?? 0;
  }),
  findDelivered: guarded(async (receiver) => {
    const row = await delivery.findUnique({ where: { receiver } });
    // Where it is not known how far a receiver is, it gets every message again, and none is lost.
    return row === null ? null : isWhole(row) ? row.cursor : 0;
  }),
});

// The reads of tasks, and the renewal of their leases.

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

const readTasks = ({ client: { task }, connection, provider }: Database, onDamaged: OnDamaged): Tasks => {
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
