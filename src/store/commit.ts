// Writes everything except a lease or a checkpoint: journal events and the changes that belong to them, all or nothing. The
// whole commit is rolled back when the expectation of a change does not hold, when this server has lost the database, or when
// the event that it is chained to is not there.

import { timedAs } from "../domain/change.ts";
import { announced, announcementOf } from "../domain/feed.ts";
import { chain, changesScore, isMessage, type JournalEvent } from "../domain/journal.ts";
import { levelOf } from "../domain/journal-level.ts";
import type { Clock, Commit, CommitResult, Store } from "../ports.ts";
import { applyChange } from "./apply-change.ts";
import type { Database } from "./database.ts";
import { type EventRow, eventRow } from "./event-rows.ts";
import { isWriteConflict, kindOf } from "./fault.ts";
import { frozenOrLost, isAlone, lockWriters, unfrozen } from "./freeze-statements.ts";
import { createKeptRows, type KeptRows } from "./kept-rows.ts";
import { commitAtOnce, partName } from "./one-statement.ts";
import type { ParsedRows } from "./parsed-rows.ts";
import { findRow } from "./row-statements.ts";
import { announce, eventExists, insertEvents, lastEvent, messageOrder, type Statement } from "./sql.ts";
import type { Sql } from "./sql-connection.ts";
import { untilAnswered } from "./until-answered.ts";

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
  rows?: readonly EventRow[];
  isRepeated: boolean;
};

type WriteContext = { readonly database: Database; readonly sql: Sql; readonly attempt: Attempt };

type CommitDeps = {
  readonly database: Database;
  readonly clock: Clock;
  /** Gets the events that are written. */
  readonly known: ParsedRows<JournalEvent>;
};

export function createCommit({ database, clock, known }: CommitDeps) {
  // On SQLite a row is read at no cost.
  const kept = createKeptRows(database.provider === "postgresql" ? undefined : 0);
  return async (given: Commit): Promise<CommitResult> => {
    const commit = withLevel(database.servers.are_many ? given : withoutHolds(given));
    const tell = once(given.onWritten);
    for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
      const attempt: Attempt = { at: clock().toISOString(), isRepeated: false };
      const result = await untilAnswered(attempt, () => attemptCommit(commit, { database, kept, attempt, tell }));
      if (result === "raced") continue;
      if (result.ok) {
        tell(result.events);
        for (const [at, event] of result.events.entries()) known.keep(event.hash, attempt.rows?.[at], event);
      }
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

type Attempting = {
  readonly database: Database;
  readonly kept: KeptRows;
  readonly attempt: Attempt;
  readonly tell: Tell;
};

/** `raced`: wrote nothing; another attempt may succeed. */
async function attemptCommit(commit: Commit, { tell, ...attempting }: Attempting): Promise<CommitResult | "raced"> {
  const { database, kept, attempt } = attempting;
  database.ensureOwned();
  let conflict: Conflict | "raced" | undefined;
  const refuse = (refused: Conflict | "raced"): never => {
    conflict = refused;
    throw new Error("a conflict rolls the transaction back");
  };
  try {
    const { connection } = database;
    if (isOneStatement(commit, database))
      return { ok: true, events: await append(commit, commit.after, { database, sql: connection, attempt }, refuse) };
    const atOnce = await isDoneAtOnce(commit, attempting);
    if (atOnce !== null) return { ok: true, events: atOnce };
    const done = await connection.transaction(
      async (sql) => {
        const observed = kept.observed(sql);
        const events = await commitWithin(commit, { database, sql: observed.sql, attempt }, refuse);
        return { events, keep: observed.keep };
      },
      ({ events }) => tell(events),
    );
    done.keep();
    return { ok: true, events: done.events };
  } catch (error) {
    // Changes report their own unique violations, so this one is an event whose sequence number exists.
    if (kindOf(error) === "UniqueConstraintViolation") conflict = "journal";
    if ((conflict === "journal" || conflict === "freeze") && attempt.isRepeated && (await isWritten(attempt, database)))
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

/** The events, null where they have to be written by one statement after the other. */
async function isDoneAtOnce(commit: Commit, { database, kept, attempt }: Omit<Attempting, "tell">) {
  const { thread_id, after, changes: asked = [] } = commit;
  const fits = commit.events.length > 0 && commit.events.length <= EVENTS_PER_STATEMENT;
  // Of two changes of one row, one statement would do one.
  const isRaised = asked.some(({ on }) => on === "task_level");
  if (database.provider !== "postgresql" || after === "last" || !fits || isRaised) return null;
  const events = chain(thread_id, after, commit.events, attempt.at);
  attempt.after = after;
  attempt.events = events;
  const rows = events.map(eventRow);
  attempt.rows = rows;
  const link = after === null ? [] : [eventExists({ thread_id, ...after })];
  const conditions = [...database.conditions, ...unfrozen(commit), ...link];
  const before = [
    ...(needsMessageOrder(commit, database.provider) ? [messageOrder] : []),
    ...announcing(commit, database),
  ];
  const follows = needsMessageOrder(commit, database.provider) ? partName(1) : undefined;
  const inserts = [...before, insertEvents(rows, conditions, follows)];
  const changes = asked.map((change) => timedAs(change, events, attempt.at));
  const isDone = await commitAtOnce(database.connection, kept, { events, inserts, changes, at: attempt.at });
  return isDone ? events : null;
}

type KnownTail = { readonly after: Tail };

/** The hot path: a single INSERT is a transaction by itself. */
const isOneStatement = (commit: Commit, database: Database): commit is Commit & KnownTail =>
  commit.after !== "last" &&
  (commit.changes ?? []).length === 0 &&
  commit.events.length > 0 &&
  commit.events.length <= EVENTS_PER_STATEMENT &&
  !needsMessageOrder(commit, database.provider) &&
  announcing(commit, database).length === 0;

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
  attempt.rows = rows;
  if (events.length === 0) await database.confirmOwned(sql);
  let last = after;
  for (let start = 0; start < events.length; start += EVENTS_PER_STATEMENT) {
    const part = events.slice(start, start + EVENTS_PER_STATEMENT);
    const link = last === null ? [] : [eventExists({ thread_id, ...last })];
    const inserted = await sql.run(
      insertEvents(rows.slice(start, start + EVENTS_PER_STATEMENT), [
        ...database.conditions,
        ...unfrozen(commit),
        ...link,
      ]),
    );
    if (inserted < part.length) {
      await database.confirmOwned(sql);
      refuse(await frozenOrLost(commit, sql, link));
    }
    last = part.at(-1) ?? last;
  }
  return events;
}

async function readTail(thread_id: string, sql: Sql): Promise<Tail> {
  const [tail] = await sql.rows<NonNullable<Tail>>(lastEvent(thread_id));
  return tail ?? null;
}
