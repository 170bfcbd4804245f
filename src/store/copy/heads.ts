// Reads the end of every journal of a database, and looks whether journals are as they were written. By statements that every schema
// since the first can answer: a backup is made of a database before it is migrated.
import { type Backed, headOf, type ThreadEnd } from "../../domain/backup.ts";
import { type EventKind, FIRST_HASH, hashOfText } from "../../domain/journal.ts";
import { Prisma } from "../generated/sqlite/client.ts";
import type { Session } from "../sql.ts";

const { sql } = Prisma;

/** Sends a statement through what has the database open. Each driver has numbers of its own kind. */
export type Ask = <T>(statement: Prisma.Sql) => Promise<readonly T[]>;

export const askThrough =
  (session: Session): Ask =>
  (statement) =>
    session.$queryRaw(statement);

const PAGE = 2_000;

const endsAfter = (thread_id: string): Prisma.Sql => sql`
  SELECT event.thread_id, event.seq, event.hash FROM journal_event event JOIN (
    SELECT thread_id AS name, MAX(seq) AS last FROM journal_event WHERE thread_id > ${thread_id}
    GROUP BY thread_id ORDER BY thread_id LIMIT ${PAGE}
  ) newest ON event.thread_id = newest.name AND event.seq = newest.last ORDER BY event.thread_id`;

export async function threadEnds(ask: Ask): Promise<ThreadEnd[]> {
  const ends: ThreadEnd[] = [];
  for (let after = ""; ; ) {
    const page = await ask<ThreadEnd>(endsAfter(after));
    for (const { thread_id, seq, hash } of page) ends.push({ thread_id, seq: Number(seq), hash });
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return ends;
    after = last.thread_id;
  }
}

const COUNTS = sql`SELECT (SELECT COUNT(*) FROM task) AS tasks, (SELECT COALESCE(MAX(cursor), 0) FROM journal_event) AS cursor`;

export type Contents = Pick<Backed, "tasks" | "cursor" | "head">;

export async function contentsOf(ask: Ask, ends?: readonly ThreadEnd[]): Promise<Contents> {
  const [counts] = await ask<{ tasks: unknown; cursor: unknown }>(COUNTS);
  return {
    tasks: Number(counts?.tasks ?? 0),
    cursor: Number(counts?.cursor ?? 0),
    head: headOf(ends ?? (await threadEnds(ask))),
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

/** A number is of the first event that is not as it was written, or does not follow. Of an archived one, the end of the journal alone is read. */
type Judgement = "whole" | "archived" | number;

export async function judgeJournal(ask: Ask, { thread_id }: Pick<ThreadEnd, "thread_id">): Promise<Judgement> {
  let prev_hash = FIRST_HASH;
  let before = 0;
  const events = await ask<StoredEvent>(
    sql`SELECT seq, kind, body, at, prev_hash, hash FROM journal_event WHERE thread_id = ${thread_id} ORDER BY seq`,
  );
  for (const [position, { kind, body, at, hash, ...event }] of events.entries()) {
    if (position === 0 && Number(event.seq) > 1 && (await isArchivedUntil(ask, thread_id, { seq: event.seq, hash }))) {
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
export async function judgeJournals(ask: Ask, ends: readonly Pick<ThreadEnd, "thread_id">[]) {
  const judged = { whole: 0, archived: 0, broken: [] as string[] };
  for (const end of ends) {
    const found = await judgeJournal(ask, end);
    if (typeof found === "number") judged.broken.push(end.thread_id);
    else judged[found] += 1;
  }
  return judged;
}

/** For the manifest, which has room for so many. */
const MOST_NAMED = 10;

/** In a database from before there was an archive, nothing is asked of it. */
export async function brokenIn(ask: Ask, hasArchive: boolean): Promise<string[]> {
  const asking: Ask = async (statement) => (!hasArchive && isOfArchive(statement) ? [] : ask(statement));
  return (await judgeJournals(asking, await threadEnds(ask))).broken.slice(0, MOST_NAMED);
}

const isOfArchive = ({ text }: Prisma.Sql): boolean => text === archivedUntil("").text;

const archivedUntil = (task_id: string): Prisma.Sql =>
  sql`SELECT last_seq, last_hash FROM archived WHERE task_id = ${task_id}`;

/** What is before this event is in a file of the archive, which has a digest of its own. */
async function isArchivedUntil(ask: Ask, thread_id: string, { seq, hash }: { seq: unknown; hash: string }) {
  const [archived] = await ask<{ last_seq: unknown; last_hash: string }>(archivedUntil(thread_id));
  return Number(archived?.last_seq) === Number(seq) && archived?.last_hash === hash;
}
