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
import { archiveTask } from "./archive-file.ts";
import type { Database } from "./database.ts";
import { isUnanswered, isWriteConflict, kindOf, reasonOf } from "./database-errors.ts";
import type { Prisma } from "./generated/sqlite/client.ts";
import { type Applied, isWhole, made, rewritten, rowOf, sumAfter, withSum } from "./rows.ts";
import {
  announce,
  deleteScores,
  eventExists,
  hold,
  holdTarget,
  insertEvents,
  lockWriters,
  noFreezeBut,
  type Session,
  waitForMessageOrder,
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

type WriteContext = { readonly database: Database; readonly session: Session; readonly attempt: Attempt };

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
    const write = (session: Session) => commitWithin(commit, { database, session, attempt }, refuse);
    const events = isOneStatement(commit, database) ? write(database.client) : database.transaction(write, tell);
    return { ok: true, events: await events };
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
async function isWritten({ events = [] }: Attempt, { client }: Database): Promise<boolean> {
  const last = events.at(-1);
  if (last === undefined) return false;
  const { thread_id, seq, hash } = last;
  return (await client.journalEvent.findFirst({ where: { thread_id, seq, hash } })) !== null;
}

const needsMessageOrder = ({ events }: Commit, provider: Database["provider"]): boolean =>
  provider === "postgresql" && events.some(({ kind }) => isMessage(kind) || changesScore(kind));

const announcing = (commit: Commit, { servers: { are_many, owner } }: Database) =>
  are_many ? announcementOf(owner, commit) : null;

/** The insert of its events is all that it writes, and is atomic by itself: a transaction would send BEGIN and COMMIT for nothing. */
const isOneStatement = (commit: Commit, database: Database): boolean =>
  (commit.changes ?? []).length === 0 &&
  commit.events.length > 0 &&
  commit.events.length <= EVENTS_PER_STATEMENT &&
  !needsMessageOrder(commit, database.provider) &&
  announcing(commit, database) === null;

type Refuse = (conflict: Conflict | "raced") => never;

async function commitWithin(commit: Commit, context: WriteContext, refuse: Refuse): Promise<readonly JournalEvent[]> {
  const { thread_id, after, events, changes = [] } = commit;
  const { database, session, attempt } = context;
  if (isAlone(commit) && database.provider === "postgresql") await lockWriters(session);
  else if (needsMessageOrder(commit, database.provider)) await waitForMessageOrder(session);
  const isSent = attempt.events !== undefined;
  // Without events there is no sequence number that could collide.
  const reads = (after === "last" && !isSent) || events.length === 0;
  const tail = reads ? await readTail(thread_id, session) : after === "last" ? (attempt.after ?? null) : after;
  if (after !== "last" && tail?.seq !== after?.seq) refuse("journal");
  const appended = await append(commit, tail, context, refuse);
  for (const change of changes) {
    const applied = await applyChange(timedAs(change, appended, attempt.at), session, attempt.at);
    if (applied !== true) refuse(applied === "raced" ? applied : change);
  }
  const announcement = announcing(commit, database);
  if (announcement !== null) await announce(session, announced(announcement));
  return appended;
}

async function append(commit: Commit, after: Tail, { database, session, attempt }: WriteContext, refuse: Refuse) {
  const { thread_id } = commit;
  const events = chain(thread_id, after, commit.events, attempt.at);
  attempt.after = after;
  attempt.events = events;
  const rows = events.map(eventRow);
  if (events.length === 0) await database.confirmOwned(session);
  let last = after;
  for (let start = 0; start < events.length; start += EVENTS_PER_STATEMENT) {
    const part = events.slice(start, start + EVENTS_PER_STATEMENT);
    const link = last === null ? [] : [eventExists({ thread_id, ...last })];
    const conditions = [...database.conditions, ...unlessHeld(commit), ...link];
    const inserted = await insertEvents(session, rows.slice(start, start + EVENTS_PER_STATEMENT), conditions);
    if (inserted < part.length) {
      await database.confirmOwned(session);
      refuse(await heldOrLost(commit, session, link));
    }
    last = part.at(-1) ?? last;
  }
  return events;
}

const eventRow = (event: JournalEvent) => ({ ...rowOf(EventRecord, event), message: isMessage(event.kind) });

const readTail = (thread_id: string, session: Session): Promise<Tail> =>
  session.journalEvent.findFirst({
    where: { thread_id },
    orderBy: { seq: "desc" },
    select: { seq: true, hash: true, at: true },
  });

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
const unlessHeld = ({ unless_frozen }: Pick<Commit, "unless_frozen">): readonly Prisma.Sql[] =>
  unless_frozen === undefined ? [] : [noFreezeBut(unless_frozen)];

/**
 * Whether the commit lets no other one write while it does. A commit that waits for the order of messages may have its lock on the
 * table already: waiting for that order too would never end, and with the table locked the order is kept.
 */
const isAlone = ({ changes = [] }: Commit): boolean => changes.some(({ on }) => on === "freeze_created");

/** A first step that was refused, where what it is chained to is there: a freeze was open. */
async function heldOrLost({ unless_frozen }: Commit, session: Session, link: readonly Prisma.Sql[]) {
  return unless_frozen !== undefined && (await hold(session, link)) ? "held" : "lost_tail";
}

// Writes one change of a row, if what it expects holds.

/** Resolves to false when the expectation of the change does not hold, or when the row that it makes exists. */
async function applyChange(change: Change, session: Session, at: string): Promise<Applied> {
  switch (change.on) {
    case "task_created":
      return made(session.task.create({ data: withSum(rowOf(Task, change.task)), select: { task_id: true } }));
    case "task":
      return changeTask(change, session, at);
    case "task_level":
      return raiseLevel(change, session);
    case "target_held":
      return holdTarget(session, { target_signature: change.target_signature, task_id: change.task_id, since: at });
    case "target_freed":
      return made(session.targetHold.deleteMany({ where: { task_id: change.task_id } }));
    case "sop_created":
      return made(session.sop.create({ data: withSum(rowOf(Sop, change.sop)), select: { sop_id: true } }));
    case "sop":
      return changeSop(session, { sop_id: change.sop_id, ...change.expect }, () => ({ ...change.set, updated_at: at }));
    case "sop_counted": {
      const { sop_id, passed, proved } = change;
      return changeSop(session, { sop_id }, ({ success_count, failure_count }) => ({
        ...(passed ? { success_count: success_count + 1, last_success_at: at } : { failure_count: failure_count + 1 }),
        ...(proved && { level: "proved" }),
        updated_at: at,
      }));
    }
    case "check_look": {
      const { kind, digest, body, looked_at } = change.look;
      const row = withSum({ kind, digest, body: canonicalJson(body), looked_at });
      const where = { kind_digest: { kind, digest } };
      return made(session.checkLook.upsert({ where, create: row, update: row, select: { kind: true } }));
    }
    case "task_archived":
      return archiveTask(change.archived, session);
    case "delivered": {
      const { receiver, cursor } = change;
      const row = withSum({ receiver, cursor });
      return made(session.delivery.upsert({ where: { receiver }, create: row, update: row }));
    }
    case "task_scored": {
      const row = withSum(rowOf(TaskScore, change.score));
      const where = { task_id: row.task_id };
      return made(session.taskScore.upsert({ where, create: row, update: row, select: { task_id: true } }));
    }
    case "scores_deleted":
      return made(deleteScores(session));
    case "duty_done":
      return changeDuty(change, session);
    case "approval_created":
      return made(
        session.approval.create({ data: withSum(rowOf(Approval, change.approval)), select: { approval_id: true } }),
      );
    case "approval":
      return changeApproval(change, session);
    default:
      return writeFeature(change, session, at);
  }
}

type TaskChange = Extract<Change, { on: "task" }>;

/** Compares the interrupt id with what the task waits for. */
async function changeTask({ task_id, expect, set }: TaskChange, { task }: Session, at: string): Promise<Applied> {
  const row = await task.findUnique({ where: { task_id } });
  if (row === null) return false;
  if (expect.status !== "any" && !expect.status.some((expected) => expected === row.status)) return false;
  if (expect.owner !== undefined && !expect.owner.includes(row.owner)) return false;
  if (expect.readable_at !== undefined && !canRead(expect.readable_at, row.needs_level)) return false;
  const { status, waiting, row_sum } = row;
  const { interrupt_id } = expect;
  if (interrupt_id !== undefined && (waiting === null || interruptIn(waiting) !== interrupt_id)) return false;
  const changed = rowOf(Task, { updated_at: at, ...set });
  const data = { ...changed, row_sum: sumAfter(row, { task_id, ...changed }) };
  return rewritten(task.updateMany({ where: { task_id, status, row_sum }, data }));
}

type LevelChange = Extract<Change, { on: "task_level" }>;

async function raiseLevel({ task_id, level: needs_level }: LevelChange, { task }: Session): Promise<Applied> {
  const row = await task.findUnique({ where: { task_id } });
  if (row === null || (row.needs_level ?? 0) >= needs_level) return true;
  const data = { needs_level, row_sum: sumAfter(row, { needs_level }) };
  return rewritten(task.updateMany({ where: { task_id, row_sum: row.row_sum }, data }));
}

const interruptIn = (waiting: string): string => Waiting.parse(JSON.parse(waiting)).interrupt_id;

type SopWhere = { readonly sop_id: string } & Partial<Pick<Sop, "status" | "trial_left" | "promotion_round">>;
type SopCounts = Pick<Sop, "success_count" | "failure_count">;
type SopData = Partial<SopCounts & SopMoves & Pick<Sop, "updated_at" | "last_success_at">>;

async function changeSop(
  { sop }: Session,
  { sop_id, ...expected }: SopWhere,
  change: (row: SopCounts) => SopData,
): Promise<Applied> {
  const row = await sop.findUnique({ where: { sop_id } });
  if (row === null) return false;
  const { status = row.status, trial_left = row.trial_left, promotion_round = row.promotion_round } = expected;
  if (status !== row.status || trial_left !== row.trial_left || promotion_round !== row.promotion_round) return false;
  const changed = rowOf(Sop, change(row));
  const data = { ...changed, row_sum: sumAfter(row, changed) };
  return rewritten(sop.updateMany({ where: { sop_id, ...expected, row_sum: row.row_sum }, data }));
}

type ApprovalChange = Extract<Change, { on: "approval" }>;

async function changeApproval({ approval_id, set }: ApprovalChange, { approval }: Session): Promise<Applied> {
  const row = await approval.findUnique({ where: { approval_id } });
  if (row?.status !== "pending") return false;
  const { status, row_sum } = row;
  const changed = rowOf(Approval, set);
  const data = { ...changed, row_sum: sumAfter(row, changed) };
  return rewritten(approval.updateMany({ where: { approval_id, status, row_sum }, data }));
}

type DutyChange = Extract<Change, { on: "duty_done" }>;

/** A damaged row counts as none, as for who reads it. */
async function changeDuty({ name, cursor, expect }: DutyChange, { duty }: Session): Promise<Applied> {
  const data = withSum({ name, cursor });
  if (expect === undefined) return made(duty.upsert({ where: { name }, create: data, update: data }));
  const row = await duty.findUnique({ where: { name } });
  if ((row === null || !isWhole(row) ? 0 : row.cursor) !== expect) return false;
  return row === null
    ? made(duty.create({ data }))
    : rewritten(duty.updateMany({ where: { name, row_sum: row.row_sum }, data }));
}
