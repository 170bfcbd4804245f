// Writes everything except a lease or a checkpoint: journal events and the changes that belong to them, all or nothing. The
// whole commit is rolled back when the expectation of a change does not hold.
import { chain, EventRecord, isMessage, type JournalEvent } from "../domain/journal.ts";
import type { Change, Clock, Commit, CommitResult } from "../ports.ts";
import { applyChange } from "./changes.ts";
import { rowOf } from "./columns.ts";
import type { Database, Session } from "./database.ts";
import { isWriteConflict, kindOf } from "./fault.ts";
import { insertEvents, messageOrder } from "./sql.ts";

// A statement may bind 32,766 values; an event takes nine.
const EVENTS_PER_STATEMENT = 2000;
// Each lost race is another commit that succeeded, so this many in a row are not bad luck.
const MAX_ATTEMPTS = 20;

type Conflict = Change | "journal";

export const createCommit =
  ({ database, clock }: { readonly database: Database; readonly clock: Clock }) =>
  async (commit: Commit): Promise<CommitResult> => {
    await database.ensureOwned();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const result = await attemptCommit(commit, database, clock().toISOString());
      if (result !== "raced") return result;
    }
    return { ok: false, conflict: "journal" };
  };

/** `raced`: wrote nothing; another attempt may succeed. */
async function attemptCommit(commit: Commit, database: Database, at: string): Promise<CommitResult | "raced"> {
  let conflict: Conflict | undefined;
  const refuse = (refused: Conflict): never => {
    conflict = refused;
    throw new Error("a conflict rolls the transaction back");
  };
  try {
    const events = isOneStatement(commit, database)
      ? await append(commit, commit.after, { database, session: database.client, at })
      : await database.client.$transaction((session) => commitWithin(commit, { database, session, at }, refuse));
    return { ok: true, events };
  } catch (error) {
    // Changes report their own unique violations, so this one is an event whose sequence number exists.
    if (kindOf(error) === "UniqueConstraintViolation") conflict = "journal";
    if (isWriteConflict(error) || (conflict === "journal" && commit.after === "last")) return "raced";
    if (conflict === undefined) throw error;
    return { ok: false, conflict };
  }
}

type WriteContext = { readonly database: Database; readonly session: Session; readonly at: string };
type KnownTail = { readonly after: Exclude<Commit["after"], "last"> };

/** The hot path: a single INSERT is a transaction by itself. */
const isOneStatement = (commit: Commit, { provider }: Database): commit is Commit & KnownTail =>
  commit.after !== "last" &&
  (commit.changes ?? []).length === 0 &&
  commit.events.length > 0 &&
  commit.events.length <= EVENTS_PER_STATEMENT &&
  !needsMessageOrder(commit, provider);

const needsMessageOrder = ({ events }: Commit, provider: Database["provider"]): boolean =>
  provider === "postgresql" && events.some(({ kind }) => isMessage(kind));

async function commitWithin(
  commit: Commit,
  context: WriteContext,
  refuse: (conflict: Conflict) => never,
): Promise<JournalEvent[]> {
  const { thread_id, after, events, changes = [] } = commit;
  const { database, session } = context;
  if (needsMessageOrder(commit, database.provider)) await database.query(messageOrder, session);
  // Without events there is no sequence number that could collide.
  const tail = after === "last" || events.length === 0 ? await readTail(thread_id, session) : after;
  if (after !== "last" && tail?.seq !== after?.seq) refuse("journal");
  const appended = await append(commit, tail, context);
  for (const change of changes) {
    if (!(await applyChange(change, session, context.at))) refuse(change);
  }
  return appended;
}

async function append(commit: Commit, after: KnownTail["after"], { database, session, at }: WriteContext) {
  const events = chain(commit.thread_id, after, commit.events, at);
  for (let start = 0; start < events.length; start += EVENTS_PER_STATEMENT) {
    const rows = events.slice(start, start + EVENTS_PER_STATEMENT).map(eventRow);
    await database.execute(insertEvents(rows), session);
  }
  return events;
}

async function readTail(thread_id: string, { journalEvent }: Session): Promise<KnownTail["after"]> {
  const select = { seq: true, hash: true };
  return journalEvent.findFirst({ where: { thread_id }, orderBy: { seq: "desc" }, select });
}

const eventRow = (event: JournalEvent) => ({ ...rowOf(EventRecord, event), message: isMessage(event.kind) });
