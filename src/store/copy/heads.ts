// Reads the end of every journal of a database, and looks whether journals are as they were written. By statements that every schema
// since the first can answer: a backup is made of a database before it is migrated.
import { type Backed, headOf, type ThreadEnd } from "../../domain/backup.ts";
import { type EventKind, FIRST_HASH, hashOfText } from "../../domain/journal.ts";
import type { Sql } from "../sql.ts";

type Reading = Pick<Sql, "rows">;

const PAGE = 2_000;

const ENDS = `SELECT event.thread_id, event.seq, event.hash FROM journal_event event JOIN (
    SELECT thread_id AS name, MAX(seq) AS last FROM journal_event WHERE thread_id > ? GROUP BY thread_id ORDER BY thread_id LIMIT ?
  ) newest ON event.thread_id = newest.name AND event.seq = newest.last ORDER BY event.thread_id`;

export async function threadEnds(sql: Reading): Promise<ThreadEnd[]> {
  const ends: ThreadEnd[] = [];
  for (let after = ""; ; ) {
    const page = await sql.rows<ThreadEnd>({ sql: ENDS, args: [after, PAGE] });
    for (const { thread_id, seq, hash } of page) ends.push({ thread_id, seq: Number(seq), hash });
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return ends;
    after = last.thread_id;
  }
}

const COUNTS = `SELECT (SELECT COUNT(*) FROM task) AS tasks, (SELECT COALESCE(MAX(cursor), 0) FROM journal_event) AS cursor`;

export type Contents = Pick<Backed, "tasks" | "cursor" | "head">;

export async function contentsOf(sql: Reading, ends?: readonly ThreadEnd[]): Promise<Contents> {
  const [counts] = await sql.rows<{ tasks: unknown; cursor: unknown }>({ sql: COUNTS, args: [] });
  return {
    tasks: Number(counts?.tasks ?? 0),
    cursor: Number(counts?.cursor ?? 0),
    head: headOf(ends ?? (await threadEnds(sql))),
  };
}

type StoredEvent = {
  readonly hash: string;
  readonly seq: unknown;
  /** Also one that only a newer version knows: its hash is of the text. */
  readonly kind: EventKind;
  readonly body: string;
  readonly at: string;
  readonly prev_hash: string;
};

const EVENTS = "SELECT seq, kind, body, at, prev_hash, hash FROM journal_event WHERE thread_id = ? ORDER BY seq";

/** A number is of the first event that is not as it was written, or does not follow. Of an archived one, the end of the journal alone is read. */
type Judgement = "whole" | "archived" | number;

export async function judgeJournal(sql: Reading, { thread_id }: Pick<ThreadEnd, "thread_id">): Promise<Judgement> {
  let prev_hash = FIRST_HASH;
  let before = 0;
  const events = await sql.rows<StoredEvent>({ sql: EVENTS, args: [thread_id] });
  for (const [position, { kind, body, at, hash, ...event }] of events.entries()) {
    if (position === 0 && Number(event.seq) > 1 && (await isArchivedUntil(sql, thread_id, { seq: event.seq, hash }))) {
      before = Number(event.seq) - 1;
      prev_hash = event.prev_hash;
    }
    const seq = before + position + 1;
    const isNext = Number(event.seq) === seq && event.prev_hash === prev_hash;
    if (!isNext || hash !== hashOfText({ thread_id, seq, kind, at, prev_hash }, body)) return seq;
    prev_hash = hash;
  }
  return before > 0 ? "archived" : "whole";
}

/** A broken one is in the database of a server too, which keeps it in quarantine and goes on. */
export async function judgeJournals(sql: Reading, ends: readonly Pick<ThreadEnd, "thread_id">[]) {
  const judged = { whole: 0, archived: 0, broken: [] as string[] };
  for (const end of ends) {
    const found = await judgeJournal(sql, end);
    if (typeof found === "number") judged.broken.push(end.thread_id);
    else judged[found] += 1;
  }
  return judged;
}

/** For the manifest, which has room for so many. */
const MOST_NAMED = 10;

export async function brokenIn(sql: Reading, hasArchive: boolean): Promise<string[]> {
  // In a database from before there was an archive, nothing is asked of it.
  const rows: Reading["rows"] = (statement) =>
    !hasArchive && statement.sql === ARCHIVED_UNTIL ? Promise.resolve([]) : sql.rows(statement);
  return (await judgeJournals({ rows }, await threadEnds(sql))).broken.slice(0, MOST_NAMED);
}

const ARCHIVED_UNTIL = "SELECT last_seq, last_hash FROM archived WHERE task_id = ?";

/** What is before this event is in a file of the archive, which has a digest of its own. */
async function isArchivedUntil(sql: Reading, thread_id: string, { seq, hash }: { seq: unknown; hash: string }) {
  const [archived] = await sql.rows<{ last_seq: unknown; last_hash: string }>({
    sql: ARCHIVED_UNTIL,
    args: [thread_id],
  });
  return Number(archived?.last_seq) === Number(seq) && archived?.last_hash === hash;
}
