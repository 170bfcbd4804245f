// Writes everything except a lease or a checkpoint: journal events and the changes that belong to them, all or nothing. The
// whole commit is rolled back when the expectation of a change does not hold, when this server has lost the database, or when
// the event that it is chained to is not there.
import { setTimeout as sleep } from "node:timers/promises";
import { Approval } from "../domain/approval.ts";
import { announced, announcementOf, type Change, timedAs } from "../domain/change.ts";
import { OrchError } from "../domain/errors.ts";
import { canRead, chain, changesScore, EventRecord, isMessage, type JournalEvent, levelOf } from "../domain/journal.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { TaskScore } from "../domain/scorecard/task-score.ts";
import { Sop, type SopMoves } from "../domain/sop.ts";
import { Task, Waiting } from "../domain/task.ts";
import { writeFeature } from "../features/rows.ts";
import type { Clock, Commit, CommitResult, Store } from "../ports.ts";
import { archiveTask, DELETE_SCORES } from "./archive-file.ts";
import type { Database } from "./database.ts";
import {
  type Applied,
  deleteRows,
  findRow,
  holdTarget,
  insertRow,
  isWhole,
  made,
  rewritten,
  sumAfter,
  updateRows,
  upsertRow,
  withSum,
} from "./rows.ts";
import {
  announce,
  eventExists,
  insertEvents,
  isUnanswered,
  isWriteConflict,
  kindOf,
  LOCK_WRITERS,
  lastEvent,
  messageOrder,
  type Provider,
  reasonOf,
  rowOf,
  type Sql,
  type Statement,
} from "./sql.ts";

// A statement may bind 32,766 values; an event takes eight.
const EVENTS_PER_STATEMENT = 2000;
// Each lost race is another commit that succeeded, so this many in a row are not bad luck.
const MAX_ATTEMPTS = 20;

type Conflict = Extract<CommitResult, { readonly ok: false }>["conflict"];
type Tail = Exclude<Commit["after"], "last">;

/** One try. What it has sent stays known, because the answer may be lost: the hashes of the events are its token. */
type Attempt = {
  readonly at: string;
  after?: Tail;
  events?: readonly JournalEvent[];
  isRepeated: boolean;
};

type WriteContext = { readonly database: Database; readonly sql: Sql; readonly attempt: Attempt };

type CommitDeps = { readonly database: Database; readonly clock: Clock };

export function createCommit({ database, clock }: CommitDeps) {
  return async (given: Commit): Promise<CommitResult> => {
    const commit = withLevel(database.servers.are_many ? given : withoutHolds(given));
    const tell = once(given.onWritten);
    for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
      const attempt: Attempt = { at: clock().toISOString(), isRepeated: false };
      const result = await untilAnswered(attempt, () => attemptCommit(commit, database, attempt, tell));
      if (result === "raced") continue;
      if (result.ok) tell(result.events);
      return result;
    }
    return { ok: false, conflict: "journal" };
  };
}

/** A server that has lost the database has lost its part in every condition but the tail: it may report what it learns, and nothing else. */
export function createLateAppend({ database, ...deps }: CommitDeps): Store["appendLateResult"] {
  const unowned = { ...database, conditions: [], ensureOwned: () => undefined, confirmOwned: async () => undefined };
  const commit = createCommit({ ...deps, database: unowned });
  return (thread_id, after, late) => commit({ thread_id, after, events: [{ kind: "late_result", body: late }] });
}

/** The only server has its targets in memory. */
const withoutHolds = ({ changes = [], ...commit }: Commit): Commit => ({
  ...commit,
  changes: changes.filter(({ on }) => on !== "target_held" && on !== "target_freed"),
});

/** Of the hot path only the judgement of a step that calls a tool has a level. */
function withLevel(commit: Commit): Commit {
  const level = levelOf(commit.events);
  if (level === null) return commit;
  const { thread_id: task_id, changes = [] } = commit;
  return { ...commit, changes: [...changes, { on: "task_level", task_id, level }] };
}

type Tell = NonNullable<Commit["onWritten"]>;

function once(onWritten: Commit["onWritten"]): Tell {
  let isTold = false;
  return (events) => {
    if (!isTold) onWritten?.(events);
    isTold = true;
  };
}

/** `raced`: wrote nothing; another attempt may succeed. */
async function attemptCommit(
  commit: Commit,
  database: Database,
  attempt: Attempt,
  tell: Tell,
): Promise<CommitResult | "raced"> {
  database.ensureOwned();
  let conflict: Conflict | "raced" | undefined;
  const refuse = (refused: Conflict | "raced"): never => {
    conflict = refused;
    throw new Error("a conflict rolls the transaction back");
  };
  try {
    const write = (sql: Sql) => commitWithin(commit, { database, sql, attempt }, refuse);
    return { ok: true, events: await database.connection.transaction(write, tell) };
  } catch (error) {
    // Changes report their own unique violations, so this one is an event whose sequence number exists.
    if (kindOf(error) === "UniqueConstraintViolation") conflict = "journal";
    if ((conflict === "journal" || conflict === "held") && attempt.isRepeated && (await isWritten(attempt, database)))
      return { ok: true, events: attempt.events ?? [] };
    if (conflict === "raced" || isWriteConflict(error) || (conflict === "journal" && commit.after === "last"))
      return "raced";
    if (conflict === undefined) throw error;
    return { ok: false, conflict };
  }
}

/** Whether an earlier sending of the attempt was done. */
async function isWritten({ events = [] }: Attempt, { connection }: Database): Promise<boolean> {
  const last = events.at(-1);
  if (last === undefined) return false;
  const { thread_id, seq, hash } = last;
  return (await findRow(connection, "journal_event", { thread_id, seq, hash })) !== null;
}

const needsMessageOrder = ({ events }: Commit, provider: Database["provider"]): boolean =>
  provider === "postgresql" && events.some(({ kind }) => isMessage(kind) || changesScore(kind));

function announcing(commit: Commit, { servers: { are_many, owner } }: Database): readonly Statement[] {
  const announcement = are_many ? announcementOf(owner, commit) : null;
  return announcement === null ? [] : [announce(announced(announcement))];
}

type Refuse = (conflict: Conflict | "raced") => never;

async function commitWithin(commit: Commit, context: WriteContext, refuse: Refuse): Promise<readonly JournalEvent[]> {
  const { thread_id, after, events, changes = [] } = commit;
  const { database, sql, attempt } = context;
  if (isAlone(commit)) await lockWriters(sql, database.provider);
  else if (needsMessageOrder(commit, database.provider)) await sql.rows(messageOrder);
  const isSent = attempt.events !== undefined;
  // Without events there is no sequence number that could collide.
  const reads = (after === "last" && !isSent) || events.length === 0;
  const tail = reads ? await readTail(thread_id, sql) : after === "last" ? (attempt.after ?? null) : after;
  if (after !== "last" && tail?.seq !== after?.seq) refuse("journal");
  const appended = await append(commit, tail, context, refuse);
  for (const change of changes) {
    const applied = await applyChange(timedAs(change, appended, attempt.at), sql, attempt.at);
    if (applied !== true) refuse(applied === "raced" ? applied : change);
  }
  for (const statement of announcing(commit, database)) await sql.rows(statement);
  return appended;
}

async function append(commit: Commit, after: Tail, { database, sql, attempt }: WriteContext, refuse: Refuse) {
  const { thread_id } = commit;
  const events = chain(thread_id, after, commit.events, attempt.at);
  attempt.after = after;
  attempt.events = events;
  const rows = events.map(eventRow);
  if (events.length === 0) await database.confirmOwned(sql);
  let last = after;
  for (let start = 0; start < events.length; start += EVENTS_PER_STATEMENT) {
    const part = events.slice(start, start + EVENTS_PER_STATEMENT);
    const link = last === null ? [] : [eventExists({ thread_id, ...last })];
    const inserted = await sql.run(
      insertEvents(rows.slice(start, start + EVENTS_PER_STATEMENT), [
        ...database.conditions,
        ...unlessHeld(commit),
        ...link,
      ]),
    );
    if (inserted < part.length) {
      await database.confirmOwned(sql);
      refuse(await heldOrLost(commit, sql, link));
    }
    last = part.at(-1) ?? last;
  }
  return events;
}

const eventRow = (event: JournalEvent) => ({ ...rowOf(EventRecord, event), message: isMessage(event.kind) });

async function readTail(thread_id: string, sql: Sql): Promise<Tail> {
  const [tail] = await sql.rows<NonNullable<Tail>>(lastEvent(thread_id));
  return tail ?? null;
}

/** How long a commit without an answer is sent again. A dropped connection is back at once, a restarted server soon. */
const PATIENCE_MS = 20_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Sends the same events with the same sequence numbers again while no answer comes. Whichever of the sendings is done, the
 * others find its events in their place.
 */
async function untilAnswered<T>(attempt: { isRepeated: boolean }, send: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await send();
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      if (performance.now() + pause > end) throw unknownEnd(error);
    }
    await sleep(pause);
    attempt.isRepeated = true;
  }
}

const unknownEnd = (cause: unknown): OrchError =>
  new OrchError(
    "database_unusable",
    `the database does not answer (${reasonOf(cause)}); it is not known whether it has done what was asked`,
    {
      fix: "ask again: what was done is not done twice",
      cause,
    },
  );

/** Conditions of the events. One statement decides both: a commit costs nothing more. */
function unlessHeld({ unless_frozen }: Pick<Commit, "unless_frozen">): readonly Statement[] {
  if (unless_frozen === undefined) return [];
  const known = unless_frozen.map(() => "?").join(", ");
  const others = known === "" ? "" : ` AND freeze_id NOT IN (${known})`;
  return [{ sql: `NOT EXISTS (SELECT 1 FROM work_freeze WHERE thawed_at IS NULL${others})`, args: unless_frozen }];
}

/**
 * Whether the commit lets no other one write while it does. A commit that waits for the order of messages may have its lock on the
 * table already: waiting for that order too would never end, and with the table locked the order is kept.
 */
const isAlone = ({ changes = [] }: Commit): boolean => changes.some(({ on }) => on === "freeze_created");

/** On SQLite a transaction is alone anyway. */
async function lockWriters(sql: Sql, provider: Provider): Promise<void> {
  if (provider === "sqlite") return;
  for (const statement of LOCK_WRITERS) await sql.run({ sql: statement, args: [] });
}

/** A first step that was refused, where what it is chained to is there: a freeze was open. */
async function heldOrLost({ unless_frozen }: Commit, sql: Sql, link: readonly Statement[]) {
  if (unless_frozen === undefined) return "lost_tail";
  const there = ["TRUE", ...link.map((condition) => condition.sql)].join(" AND ");
  const args = link.flatMap((condition) => condition.args);
  return (await sql.rows({ sql: `SELECT 1 AS held WHERE ${there}`, args })).length > 0 ? "held" : "lost_tail";
}

// Writes one change of a row, if what it expects holds.

/** Resolves to false when the expectation of the change does not hold, or when the row that it makes exists. */
function applyChange(change: Change, sql: Sql, at: string): Promise<Applied> {
  switch (change.on) {
    case "task_created":
      return made(sql, insertRow("task", withSum(rowOf(Task, change.task))));
    case "task":
      return changeTask(change, sql, at);
    case "task_level":
      return raiseLevel(change, sql);
    case "target_held":
      return sql.run(holdTarget(change, at)).then((count) => count > 0);
    case "target_freed":
      return sql.run(deleteRows("target_hold", { task_id: change.task_id })).then(() => true);
    case "sop_created":
      return made(sql, insertRow("sop", withSum(rowOf(Sop, change.sop))));
    case "sop":
      return changeSop(sql, { sop_id: change.sop_id, ...change.expect }, () => ({ ...change.set, updated_at: at }));
    case "sop_counted": {
      const { sop_id, passed, proved } = change;
      return changeSop(sql, { sop_id }, ({ success_count, failure_count }) => ({
        ...(passed ? { success_count: success_count + 1, last_success_at: at } : { failure_count: failure_count + 1 }),
        ...(proved && { level: "proved" }),
        updated_at: at,
      }));
    }
    case "check_look": {
      const { kind, digest, body, looked_at } = change.look;
      const row = withSum({ kind, digest, body: canonicalJson(body), looked_at });
      return made(sql, upsertRow("check_look", ["kind", "digest"], row));
    }
    case "task_archived":
      return archiveTask(change.archived, sql);
    case "delivered":
      return made(
        sql,
        upsertRow("delivery", ["receiver"], withSum({ receiver: change.receiver, cursor: change.cursor })),
      );
    case "task_scored":
      return made(sql, upsertRow("task_score", ["task_id"], withSum(rowOf(TaskScore, change.score))));
    case "scores_deleted":
      return made(sql, DELETE_SCORES);
    case "duty_done":
      return changeDuty(change, sql);
    case "approval_created":
      return made(sql, insertRow("approval", withSum(rowOf(Approval, change.approval))));
    case "approval":
      return changeApproval(change, sql);
    default:
      return writeFeature(change, sql, at);
  }
}

type TaskChange = Extract<Change, { on: "task" }>;

/** Compares the interrupt id with what the task waits for. */
async function changeTask({ task_id, expect, set }: TaskChange, sql: Sql, at: string): Promise<Applied> {
  const row = await findRow(sql, "task", { task_id });
  if (row === null) return false;
  if (expect.status !== "any" && !expect.status.some((expected) => expected === row.status)) return false;
  if (expect.owner !== undefined && !expect.owner.includes(row.owner)) return false;
  if (expect.readable_at !== undefined && !canRead(expect.readable_at, row.needs_level)) return false;
  const { status, waiting, row_sum } = row;
  const { interrupt_id } = expect;
  if (interrupt_id !== undefined && (waiting === null || interruptIn(waiting) !== interrupt_id)) return false;
  const data = rowOf(Task, { updated_at: at, ...set });
  const summed = { ...data, row_sum: sumAfter(row, { task_id, ...data }) };
  return rewritten(sql, updateRows("task", summed, { task_id, status, row_sum }));
}

async function raiseLevel({ task_id, level }: Extract<Change, { on: "task_level" }>, sql: Sql): Promise<Applied> {
  const row = await findRow(sql, "task", { task_id });
  if (row === null || (row.needs_level ?? 0) >= level) return true;
  const set = { needs_level: level };
  return rewritten(sql, updateRows("task", { ...set, row_sum: sumAfter(row, set) }, { task_id, row_sum: row.row_sum }));
}

const interruptIn = (waiting: string): string => Waiting.parse(JSON.parse(waiting)).interrupt_id;

type SopWhere = { readonly sop_id: string } & Partial<Pick<Sop, "status" | "trial_left" | "promotion_round">>;
type SopCounts = Pick<Sop, "success_count" | "failure_count">;
type SopData = Partial<SopCounts & SopMoves & Pick<Sop, "updated_at" | "last_success_at">>;

async function changeSop(sql: Sql, where: SopWhere, change: (row: SopCounts) => SopData): Promise<Applied> {
  const { sop_id, ...expected } = where;
  const row = await findRow(sql, "sop", { sop_id });
  if (row === null) return false;
  const { status = row.status, trial_left = row.trial_left, promotion_round = row.promotion_round } = expected;
  if (status !== row.status || trial_left !== row.trial_left || promotion_round !== row.promotion_round) return false;
  const data = change(row);
  const summed = { ...data, row_sum: sumAfter(row, data) };
  return rewritten(sql, updateRows("sop", summed, { ...where, row_sum: row.row_sum }));
}

type ApprovalChange = Extract<Change, { on: "approval" }>;

async function changeApproval({ approval_id, set }: ApprovalChange, sql: Sql): Promise<Applied> {
  const status = "pending";
  const row = await findRow(sql, "approval", { approval_id });
  if (row?.status !== status) return false;
  const data = rowOf(Approval, set);
  const summed = { ...data, row_sum: sumAfter(row, data) };
  return rewritten(sql, updateRows("approval", summed, { approval_id, status, row_sum: row.row_sum }));
}

type DutyChange = Extract<Change, { on: "duty_done" }>;

/** A damaged row counts as none, as for who reads it. */
async function changeDuty({ name, cursor, expect }: DutyChange, sql: Sql): Promise<Applied> {
  const done = withSum({ name, cursor });
  if (expect === undefined) return made(sql, upsertRow("duty", ["name"], done));
  const row = await findRow(sql, "duty", { name });
  if ((row === null || !isWhole(row) ? 0 : row.cursor) !== expect) return false;
  return row === null
    ? made(sql, insertRow("duty", done))
    : rewritten(sql, updateRows("duty", done, { name, row_sum: row.row_sum }));
}
