// Implements the Store port on Prisma, for SQLite and PostgreSQL: the reads, the renewal of leases, and commits. Every operation rejects
// with `database_unusable` when the database fails, for example on a full disk; nothing is half done then.
import { CheckLook } from "../domain/proof.ts";
import type { Quarantine } from "../domain/quarantine.ts";
import { readFeatures } from "../features/rows.ts";
import type { Clock, Store } from "../ports.ts";
import { type ArchiveReader, createArchiveReader, readArchived } from "./archive-file.ts";
import { createCommit, createLateAppend } from "./commit.ts";
import type { Database } from "./database.ts";
import { readChains } from "./examine-database.ts";
import { guarded } from "./fault.ts";
import type { Approval as ApprovalRow } from "./generated/sqlite/client.ts";
import { readScores } from "./read-scores.ts";
import { readServers } from "./read-servers.ts";
import { readTasks } from "./read-tasks.ts";
import { findActiveSop, findRow } from "./row-statements.ts";
import {
  approvalOf,
  eventOf,
  isWhole,
  journalOf,
  read,
  readable,
  readPage,
  readRow,
  sopOf,
  wholeEventOf,
} from "./rows.ts";
import { approvalsOf, eventsAfter, given } from "./sql.ts";

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
