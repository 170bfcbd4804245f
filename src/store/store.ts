// The Store port on Prisma, for SQLite and PostgreSQL: the reads, the renewal of leases, and commits. Every operation rejects
// with `database_unusable` when the database fails, for example on a full disk; nothing is half done then.
import type { Clock, Store } from "../ports.ts";
import { createCommit } from "./commit.ts";
import type { Database } from "./database.ts";
import { unusable } from "./fault.ts";
import { approvalOf, eventOf, sopOf, taskOf } from "./rows.ts";

export function createStore({ database, clock }: { readonly database: Database; readonly clock: Clock }): Store {
  const { client } = database;
  return {
    commit: guarded(createCommit({ database, clock })),
    ...readTasks(client),
    ...readSops(client),
    ...readApprovals(client),
    ...readEvents(client),
  };
}

type Client = Database["client"];

const LIVE = ["accepted", "running"];

type Tasks = Pick<Store, "findTask" | "listTasks" | "unfinishedTasks" | "renewLeases">;

const readTasks = ({ task }: Client): Tasks => ({
  findTask: guarded(async (task_id) => {
    const row = await task.findUnique({ where: { task_id } });
    return row === null ? null : taskOf(row);
  }),
  listTasks: guarded(async ({ limit, after, status }) => {
    const rows = await task.findMany({
      where: given({ status }),
      orderBy: [{ created_at: "desc" }, { task_id: "desc" }],
      take: limit,
      ...(after !== undefined && { cursor: { task_id: after }, skip: 1 }),
    });
    return rows.map(taskOf);
  }),
  unfinishedTasks: guarded(async () => {
    const where = { status: { in: LIVE } };
    const rows = await task.findMany({ where, orderBy: [{ created_at: "asc" }, { task_id: "asc" }] });
    return rows.map(taskOf);
  }),
  renewLeases: guarded(async (owner, lease_expires_at) => {
    await task.updateMany({ where: { status: { in: LIVE }, owner }, data: { lease_expires_at } });
  }),
});

/** The database ensures that at most one SOP is active per intent and target signature. */
const readSops = ({ sop }: Client): Pick<Store, "findSop" | "findActiveSop" | "listSops"> => ({
  findSop: guarded(async (sop_id) => {
    const row = await sop.findUnique({ where: { sop_id } });
    return row === null ? null : sopOf(row);
  }),
  findActiveSop: guarded(async (intent, target_signature) => {
    const row = await sop.findFirst({ where: { intent, target_signature, status: "active" } });
    return row === null ? null : sopOf(row);
  }),
  listSops: guarded(async ({ limit, after, intent, target_signature, status }) => {
    const rows = await sop.findMany({
      where: given({ intent, target_signature, status }),
      orderBy: [{ created_at: "desc" }, { sop_id: "desc" }],
      take: limit,
      ...(after !== undefined && { cursor: { sop_id: after }, skip: 1 }),
    });
    return rows.map(sopOf);
  }),
});

const readApprovals = ({ approval }: Client): Pick<Store, "findApproval" | "listApprovals" | "expiringApprovals"> => ({
  findApproval: guarded(async (approval_id) => {
    const row = await approval.findUnique({ where: { approval_id } });
    return row === null ? null : approvalOf(row);
  }),
  listApprovals: guarded(async ({ limit, after, thread_id, status }) => {
    const rows = await approval.findMany({
      where: given({ thread_id, status }),
      orderBy: [{ created_at: "asc" }, { approval_id: "asc" }],
      take: limit,
      ...(after !== undefined && { cursor: { approval_id: after }, skip: 1 }),
    });
    return rows.map(approvalOf);
  }),
  expiringApprovals: guarded(async (at) => {
    const status = "pending";
    const orderBy = { expires_at: "asc" } as const;
    const [due, later] = await Promise.all([
      approval.findMany({ where: { status, expires_at: { lte: at } }, orderBy }),
      approval.findFirst({ where: { status, expires_at: { gt: at } }, orderBy }),
    ]);
    return { due: due.map(approvalOf), next: later?.expires_at ?? null };
  }),
});

/** One thread in order, or the messages to the supervisor across all threads. */
const readEvents = ({ journalEvent }: Client): Pick<Store, "readJournal" | "readMessages"> => ({
  readJournal: guarded(async (thread_id, page) => {
    const rows = await journalEvent.findMany({
      where: { thread_id, seq: { gt: page?.after ?? 0 } },
      orderBy: { seq: "asc" },
      ...(page !== undefined && { take: page.limit }),
    });
    return rows.map(eventOf);
  }),
  readMessages: guarded(async (after, limit) => {
    const where = { message: true, cursor: { gt: after } };
    const rows = await journalEvent.findMany({ where, orderBy: { cursor: "asc" }, take: limit });
    return rows.map((row) => ({ cursor: row.cursor, event: eventOf(row) }));
  }),
});

/** The filters that the caller has set. */
const given = (filters: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([column, value]) => (value === undefined ? [] : [[column, value]])),
  );

function guarded<A extends unknown[], R>(operation: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return await operation(...args);
    } catch (error) {
      throw unusable(error);
    }
  };
}
