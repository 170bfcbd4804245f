// The Store port on Prisma, for SQLite and PostgreSQL: the reads, the renewal of leases, and commits. Every operation rejects
// with `database_unusable` when the database fails, for example on a full disk; nothing is half done then.
import { SCORING_KINDS } from "../domain/journal.ts";
import { CheckLook } from "../domain/proof.ts";
import type { Quarantine } from "../domain/quarantine.ts";
import { Counts } from "../domain/scorecard/counts.ts";
import {
  type BrokenChain,
  type Counted,
  type JudgedPage,
  type KeptChains,
  type KeptScores,
  type KeyedTally,
  TALLY_KEY,
} from "../domain/scorecard/kept-scores.ts";
import type { SopRun } from "../domain/scorecard/record.ts";
import { TaskScore } from "../domain/scorecard/task-score.ts";
import type { Clock, Store } from "../ports.ts";
import { readAnchors } from "./anchors.ts";
import { type ArchiveReader, createArchiveReader, readArchived } from "./archived.ts";
import { isWhole, KNOWN_COLUMNS } from "./columns.ts";
import { createCommit, createLateAppend } from "./commit.ts";
import { judgeJournal } from "./copy/heads.ts";
import type { Database } from "./database.ts";
import { guarded } from "./fault.ts";
import { readFreezes } from "./freezes.ts";
import type { Approval as ApprovalRow, TaskScore as ScoreRow } from "./generated/sqlite/client.ts";
import { readServers } from "./read-servers.ts";
import { readTasks } from "./read-tasks.ts";
import { findActiveSop, findRow } from "./row-statements.ts";
import {
  approvalOf,
  eventOf,
  journalOf,
  read,
  readable,
  readPage,
  readRow,
  scheduleOf,
  sopOf,
  wholeEventOf,
} from "./rows.ts";
import { approvalsOf, eventsAfter, given, type Statement } from "./sql.ts";

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
    ...readSchedules(database, onDamaged),
    ...readFreezes(database, onDamaged),
    ...readServers(database),
    ...readAnchors(database),
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

type Schedules = Pick<Store, "findSchedule" | "listSchedules" | "dueSchedules">;

const readSchedules = ({ client: { schedule }, connection }: Database, onDamaged: Quarantine["add"]): Schedules => {
  const idOf = ({ name }: { name: string }) => name;
  const reading = { record: "schedule", idOf, parse: scheduleOf, onDamaged } as const;
  return {
    findSchedule: guarded((name) => readRow(findRow(connection, "schedule", { name }), scheduleOf)),
    listSchedules: guarded((page) =>
      readPage(
        page,
        ({ take, after }) =>
          schedule.findMany({
            ...(after !== undefined && { where: { name: { gt: after } } }),
            orderBy: { name: "asc" },
            take,
          }),
        reading,
      ),
    ),
    dueSchedules: guarded(async (at) => {
      const [due, later] = await Promise.all([
        schedule.findMany({
          where: { OR: [{ open_due: { not: null } }, { next_due: { lte: at } }] },
          orderBy: [{ next_due: "asc" }, { name: "asc" }],
        }),
        schedule.findFirst({ where: { next_due: { gt: at } }, orderBy: { next_due: "asc" } }),
      ]);
      return { due: readable(due, reading), next: later?.next_due ?? null };
    }),
  };
};

// Looks whether the journals of a database in use are as they were written.

type Thread = { readonly thread_id: string };
type Ended = Thread & { readonly is_said: number };

const readChains = ({ connection }: Pick<Database, "connection">): KeptChains => ({
  judgeChains: guarded(async (after, limit) => {
    const threads = await connection.rows<Thread>({ sql: THREADS, args: [after, limit] });
    const broken: BrokenChain[] = [];
    for (const { thread_id } of threads) {
      const found = await judgeJournal(connection, { thread_id });
      if (typeof found === "number") broken.push({ thread_id, seq: found });
    }
    return pageOf(threads, limit, broken);
  }),
  missingEnds: guarded(async (after, limit) => {
    const ended = await connection.rows<Ended>({ sql: ENDED, args: [after, limit] });
    const missing = ended.filter(({ is_said }) => Number(is_said) === 0);
    return pageOf(
      ended,
      limit,
      missing.map(({ thread_id }) => ({ thread_id, seq: null })),
    );
  }),
});

const pageOf = (threads: readonly Thread[], limit: number, broken: readonly BrokenChain[]): JudgedPage => ({
  judged: threads.length,
  broken,
  last: threads.length < limit ? null : (threads.at(-1)?.thread_id ?? null),
});

const THREADS = "SELECT thread_id FROM journal_event WHERE thread_id > ? GROUP BY thread_id ORDER BY thread_id LIMIT ?";

/** The report of an end names the status that the row has. Of an archived journal only the last entry is here. */
const ENDED = `SELECT task.task_id AS thread_id, CASE
    WHEN EXISTS (SELECT 1 FROM archived WHERE archived.task_id = task.task_id) THEN 1
    WHEN EXISTS (SELECT 1 FROM journal_event event WHERE event.thread_id = task.task_id AND event.kind = 'reported'
      AND event.body LIKE '%"status":"' || task.status || '"%') THEN 1
    ELSE 0 END AS is_said
  FROM task WHERE task.task_id > ? AND task.ended_at IS NOT NULL ORDER BY task.task_id LIMIT ?`;

// Reads what is folded from the journal for the scorecard, and what the fold has still to read (D-287).

const readScores = ({ connection }: Database): KeptScores => ({
  readScoring: guarded((after, limit) => connection.rows({ sql: SCORING, args: [after, ...SCORING_KINDS, limit] })),
  findDuty: guarded(async (name) => {
    const row = await findRow(connection, "duty", { name });
    return row === null || !isWhole(row) ? 0 : row.cursor;
  }),
  findScore: guarded(async (task_id) => {
    const row = await findRow(connection, "task_score", { task_id });
    return row === null || !isWhole(row) ? null : scoreOf(row);
  }),
  scoresOfSop: guarded(async (sop_id, limit, only) => {
    const sql = only === "verified" ? VERIFIED_OF_SOP : OF_SOP;
    const rows = await connection.rows<ScoreRow>({ sql, args: [sop_id, limit] });
    return rows.filter(isWhole).map(scoreOf);
  }),
  readRuns: guarded(async (sop_ids, limit) => {
    const found = new Map<string, SopRun[]>(sop_ids.map((sop_id) => [sop_id, []]));
    for (let from = 0; from < sop_ids.length; from += VERSIONS_AT_ONCE) {
      const rows = await connection.rows<RunRow>(runsOf(sop_ids.slice(from, from + VERSIONS_AT_ONCE), limit));
      for (const { sop_id, ...run } of rows) found.get(sop_id)?.push(run);
    }
    return found;
  }),
  readVersions: guarded(() => connection.rows(VERSIONS)),
  readTallies: guarded((counted) => connection.rows<KeyedTally>(tallied(counted))),
  readTook: guarded((counted, by) =>
    connection.rows(grouped(`${by}, took_rank`, `${by} AS of, took_rank AS rank, ${TASKS}`, counted)),
  ),
  firstWeeks: guarded(async () => {
    const rows = await connection.rows<{ readonly target_signature: string; readonly week: string }>(FIRST_WEEKS);
    return new Map(rows.map(({ target_signature, week }) => [target_signature, week]));
  }),
});

const SCORING = `SELECT cursor, thread_id FROM journal_event
  WHERE cursor > ? AND kind IN (${SCORING_KINDS.map(() => "?").join(", ")}) ORDER BY cursor LIMIT ?`;

const SCORES = `SELECT ${KNOWN_COLUMNS.task_score} FROM task_score`;
const OF_SOP = `${SCORES} WHERE sop_id = ? ORDER BY ended_at DESC, task_id LIMIT ?`;
const VERIFIED_OF_SOP = `${SCORES} WHERE sop_id = ? AND external IS NOT NULL ORDER BY ended_at DESC, task_id LIMIT ?`;

/** SQLite allows 500 in one statement. */
const VERSIONS_AT_ONCE = 250;
const RUN = "sop_id, passed, ended_at, done, done_unseen, verified, refuted";
type RunRow = SopRun & { readonly sop_id: string };

/** Each by the index of its version, so a version with very many runs costs as much as one with `limit`. */
function runsOf(sop_ids: readonly string[], limit: number): Statement {
  const of = `SELECT * FROM (SELECT ${RUN} FROM task_score WHERE sop_id = ? ORDER BY ended_at DESC, task_id LIMIT ?) AS runs`;
  return {
    sql: sop_ids.map(() => of).join(" UNION ALL "),
    args: sop_ids.flatMap((sop_id) => [sop_id, limit]),
  };
}

const VERSIONS = {
  sql: "SELECT intent, target_signature, status, steps_digest, created_at FROM sop WHERE status <> 'deprecated'",
  args: [],
};

const FIRST_WEEKS = {
  sql: "SELECT target_signature, MIN(week) AS week FROM task_score GROUP BY target_signature",
  args: [],
};

// PostgreSQL adds integers to a type that arrives as text.
const TASKS = "CAST(COUNT(*) AS INTEGER) AS tasks";
const SUMS = Object.keys(Counts.shape).map((name) => `CAST(SUM(${name}) AS DOUBLE PRECISION) AS ${name}`);

/** To group by the short text, and to read what it is short for from one task of each, costs half of grouping by all of it. */
function tallied(counted: Counted): Statement {
  const { sql, args } = grouped("week, tally", ["MIN(task_id) AS one", TASKS, ...SUMS].join(", "), counted);
  const key = TALLY_KEY.map((part) => `task_score.${part}`).join(", ");
  const columns = ["tasks", ...Object.keys(Counts.shape)].map((name) => `tallied.${name}`).join(", ");
  return { sql: `SELECT ${key}, ${columns} FROM (${sql}) AS tallied JOIN task_score ON task_id = one`, args };
}

/** `keys` and `columns` are names of this program. */
function grouped(keys: string, columns: string, { from, ...wanted }: Counted): Statement {
  const filters = Object.entries(given(wanted));
  const where = ["week >= ?", ...filters.map(([column]) => `${column} = ?`)].join(" AND ");
  return {
    sql: `SELECT ${columns} FROM task_score WHERE ${where} GROUP BY ${keys}`,
    args: [from, ...filters.map(([, value]) => value)],
  };
}

const scoreOf = (row: ScoreRow): TaskScore => read(TaskScore, `score of ${row.task_id}`, [], row);
