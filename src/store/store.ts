// The Store port on Prisma, for SQLite and PostgreSQL: the reads, the renewal of leases, and commits. Every operation rejects
// with `database_unusable` when the database fails, for example on a full disk; nothing is half done then.
// The schemas of the domain parse what is read (D-046).
import type { z } from "zod";
import { Approval } from "../domain/approval.ts";
import { OrchError } from "../domain/errors.ts";
import { EVENT_BODIES, type EventKind, EventRecord, type JournalEvent } from "../domain/journal.ts";
import { jsonOrText } from "../domain/json-values.ts";
import { CheckLook } from "../domain/proof.ts";
import { Sop } from "../domain/sop.ts";
import { Task } from "../domain/task.ts";
import type { Clock, Store } from "../ports.ts";
import { createCommit } from "./commit.ts";
import type { Database } from "./database.ts";
import { usable } from "./fault.ts";
import { given } from "./sql.ts";

export function createStore({ database, clock }: { readonly database: Database; readonly clock: Clock }): Store {
  const { client } = database;
  return {
    commit: guarded(createCommit({ database, clock })),
    ...readTasks(client),
    ...readSops(client),
    ...readApprovals(client),
    ...readEvents(client),
    ...readCheckLooks(client),
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
  listTasks: guarded(async ({ limit, after, ...where }) => {
    const rows = await task.findMany({
      where: given(where),
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

const readCheckLooks = ({ checkLook }: Client): Pick<Store, "findCheckLook"> => ({
  findCheckLook: guarded(async (kind, digest) => {
    const row = await checkLook.findUnique({ where: { kind_digest: { kind, digest } } });
    return row === null ? null : read(CheckLook, `check ${digest}`, ["body"], row);
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

const guarded =
  <A extends unknown[], R>(operation: (...args: A) => Promise<R>): ((...args: A) => Promise<R>) =>
  (...args) =>
    usable(operation(...args));

type Stored = Readonly<Record<string, unknown>>;

/** Invalid JSON stays text, which no schema of a nested field accepts. */
function read<T>(schema: z.ZodType<T>, name: string, json: readonly string[], row: Stored): T {
  const parsed = schema.safeParse(
    Object.fromEntries(
      Object.entries(row).map(([column, held]) => [
        column,
        json.includes(column) && typeof held === "string" ? jsonOrText(held) : held,
      ]),
    ),
  );
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new OrchError("database_unusable", `${name} in the database cannot be read: ${faults.join("; ")}`);
}

export const taskOf = (row: Stored & { task_id: string }): Task =>
  read(Task, `task ${row.task_id}`, ["contract", "outcome", "waiting", "verification"], row);

const sopOf = (row: Stored & { sop_id: string }): Sop =>
  read(Sop, `SOP ${row.sop_id}`, ["target", "steps", "criteria", "preconditions"], row);

const approvalOf = (row: Stored & { approval_id: string }): Approval =>
  read(Approval, `approval ${row.approval_id}`, ["content", "decision"], row);

type StoredEvent = Stored & { thread_id: string; seq: number; kind: string };

export function eventOf({ cursor: _cursor, message: _message, ...row }: StoredEvent): JournalEvent {
  const name = `event ${row.seq} of ${row.thread_id}`;
  const record = read(EventRecord, name, ["body"], row);
  if (!isEventKind(record.kind))
    throw new OrchError("database_unusable", `${name} has the unknown kind ${record.kind}`);
  const body = read<unknown>(EVENT_BODIES[record.kind], name, [], record.body as Stored);
  // The schema of this kind has parsed the body, a relation that the type of the table cannot express.
  return { ...record, body } as JournalEvent;
}

const isEventKind = (kind: string): kind is EventKind => Object.hasOwn(EVENT_BODIES, kind);
