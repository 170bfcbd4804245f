// Implements the Store port on Prisma, for SQLite and PostgreSQL: the reads, the renewal of leases, and commits. Every operation rejects
// with `database_unusable` when the database fails, for example on a full disk; nothing is half done then.

import { FLOW_ENGINE } from "../domain/contract.ts";
import { CheckLook } from "../domain/proof.ts";
import type { Quarantine } from "../domain/quarantine.ts";
import type { Task, TaskColumns } from "../domain/task.ts";
import { readFeatures } from "../features/rows.ts";
import type { Clock, Store } from "../ports.ts";
import { type ArchiveReader, createArchiveReader, readArchived } from "./archive-file.ts";
import { createCommit, createLateAppend } from "./commit.ts";
import type { Database } from "./database.ts";
import { guarded } from "./database-errors.ts";
import { readChains } from "./examine-database.ts";
import type { JournalEvent as EventRow, Prisma } from "./generated/sqlite/client.ts";
import { readScores } from "./read-scores.ts";
import { readServers } from "./read-servers.ts";
import {
  approvalOf,
  columnsOf,
  eventOf,
  given,
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
import { type Provider, unverifiedTasks } from "./sql.ts";

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

const readSops = ({ client: { sop } }: Database, onDamaged: OnDamaged): Sops => {
  const reading = { record: "sop", idOf: (row: { sop_id: string }) => row.sop_id, parse: sopOf, onDamaged } as const;
  return {
    findSop: guarded((sop_id) => readRow(sop.findUnique({ where: { sop_id } }), sopOf)),
    findActiveSop: guarded((intent, target_signature) =>
      readRow(sop.findFirst({ where: { intent, target_signature, status: "active" } }), sopOf),
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

const readApprovals = ({ client: { approval } }: Database, onDamaged: OnDamaged): Approvals => {
  const idOf = (row: { approval_id: string }) => row.approval_id;
  const reading = { record: "approval", idOf, parse: approvalOf, onDamaged } as const;
  return {
    findApproval: guarded((approval_id) => readRow(approval.findUnique({ where: { approval_id } }), approvalOf)),
    listApprovals: guarded(({ limit, after, thread_id, status }) =>
      readPage(
        { limit, after },
        (page) =>
          approval.findMany({
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

const readCheckLooks = ({ client: { checkLook } }: Database): Pick<Store, "findCheckLook"> => ({
  findCheckLook: guarded(async (kind, digest) => {
    const row = await checkLook.findUnique({ where: { kind_digest: { kind, digest } } });
    // What is kept of a check is found out again.
    return row === null || !isWhole(row) ? null : read(CheckLook, `check ${digest}`, ["body"], row);
  }),
});

// One thread in order, or the messages to the supervisor across all threads.

const messageOf = (row: EventRow) => ({ cursor: row.cursor, event: wholeEventOf(row) });
const idOf = ({ thread_id, seq }: EventRow) => `${seq} of ${thread_id}`;

type EventReading = {
  readonly onDamaged: OnDamaged;
  readonly archive: ArchiveReader;
};

const readEvents = (
  { client: { journalEvent, delivery, archived } }: Database,
  { onDamaged, archive }: EventReading,
): Pick<Store, "readJournal" | "readMessages" | "lastMessage" | "findDelivered"> => ({
  readJournal: guarded(async (thread_id, page) => {
    const { after = 0, limit } = page ?? {};
    const kept = await journalEvent.findMany({
      where: { thread_id, seq: { gt: after } },
      orderBy: { seq: "asc" },
      ...given({ take: limit }),
    });
    const [first] = kept;
    // What is missing before the first one is in a file, or it is damage.
    const rows =
      first === undefined || first.seq === after + 1
        ? kept
        : await archive.before(archived, { thread_id, after }, kept);
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

const readTasks = ({ client, provider }: Database, onDamaged: OnDamaged): Tasks => {
  const { task, targetHold } = client;
  const reading = {
    record: "task",
    idOf: (row: { task_id: string }) => row.task_id,
    parse: taskOf,
    onDamaged,
  } as const;
  return {
    findTask: guarded((task_id) => readRow(task.findUnique({ where: { task_id } }), taskOf)),
    listHolds: guarded(() => targetHold.findMany({ select: { target_signature: true, task_id: true } })),
    listTasks: guarded(({ limit, after, verified, since, q, waits_for, ...where }) =>
      readPage(
        { limit, after },
        (page) =>
          task.findMany({
            where: {
              ...given(where),
              ...(q !== undefined && { OR: mayContain(q, provider) }),
              ...(verified !== undefined && { verification: VERIFIED_AS[verified] }),
              ...(waits_for !== undefined && { waiting: { contains: `"kind":"${waits_for}"` } }),
              ...(since !== undefined && { created_at: { gte: since } }),
              NOT: given({ task_id: page.after }),
            },
            orderBy: [{ created_at: "desc" }, { task_id: "desc" }],
            take: page.take,
            ...(page.after !== undefined && { cursor: { task_id: page.after } }),
          }),
        { ...reading, ...(q !== undefined && { isWanted: contains(q) }) },
      ),
    ),
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
      readPage({ limit, after }, (page) => unverifiedTasks(client, { wants, ...page }), {
        ...reading,
        parse: unverifiedOf,
        isWanted: ({ contract }) => contract[wants] !== undefined,
      }),
    ),
    renewLeases: guarded(async (owner, lease_expires_at) => {
      await task.updateMany({ where: { status: { in: LIVE }, owner }, data: { lease_expires_at } });
    }),
  };
};

// Tasks with a text in their id, intent or target, where only letters of ASCII may differ in their case. The database finds a little more:
// on PostgreSQL letters of another case everywhere, on SQLite what `%` and `_` of the text match as patterns.

const SEARCHED = ["task_id", "intent", "target_signature"] as const;

function mayContain(q: string, provider: Provider): Prisma.TaskWhereInput[] {
  const found =
    provider === "sqlite" ? { contains: q } : { contains: q.replaceAll(/[\\%_]/g, "\\$&"), mode: "insensitive" };
  return SEARCHED.map((column) => ({ [column]: found }));
}

const inSmallLetters = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

const contains =
  (q: string) =>
  (task: Task): boolean =>
    SEARCHED.some((column) => inSmallLetters(task[column]).includes(inSmallLetters(q)));
