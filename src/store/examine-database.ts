// Examines a database without using it, for `orch doctor`, and the journals of one in use.
import { access, constants, realpath } from "node:fs/promises";
import { OrchError } from "../domain/errors.ts";
import type { BrokenChain, JudgedPage, KeptChains } from "../domain/scorecard/kept-scores.ts";
import { judgeJournal } from "./copy/heads.ts";
import type { Database } from "./database.ts";
import { isPostgresql, sqlitePath } from "./database-target.ts";
import {
  hasLog,
  type MigrationState,
  migrationNames,
  OWN_RELEASE,
  planMigration,
  sizeOf,
  stateOfFile,
  stateOfServer,
  stillRestoring,
} from "./migration-plan.ts";
import { guarded, type Provider, reasonOf } from "./sql.ts";
import { holderOfFile } from "./sqlite-lock.ts";

/**
 * `holder` is the orch server that uses the database. `pending` counts the migrations that the next start applies, null when
 * unknown; `refusal` is what the next start is refused with.
 */
export type DatabaseExamination =
  | { readonly is: "missing"; readonly path: string }
  | { readonly is: "unusable"; readonly reason: string }
  | {
      readonly is: "there";
      readonly name: string;
      readonly holder: string | null;
      readonly pending: number | null;
      readonly refusal: Pick<OrchError, "message" | "fix"> | null;
    };

const UNSEEN = { pending: null, refusal: null };

export async function examineDatabase(url: string): Promise<DatabaseExamination> {
  try {
    return await (isPostgresql(url) ? examineServer(url) : examineFile(sqlitePath(url)));
  } catch (error) {
    return { is: "unusable", reason: reasonOf(error) };
  }
}

async function examineFile(given: string): Promise<DatabaseExamination> {
  const path = await realpath(given).catch(() => given);
  if ((await sizeOf(path)) === null) return { is: "missing", path };
  await access(path, constants.R_OK | constants.W_OK);
  const there = { is: "there", name: `SQLite, ${path}` } as const;
  const holder = await holderOfFile(path);
  // Reading what a server has left in its log would repair the file.
  if (holder !== null || (await hasLog(path))) return { ...there, holder, ...UNSEEN };
  return { ...there, holder, ...(await judged("sqlite", await stateOfFile(path))) };
}

async function examineServer(url: string): Promise<DatabaseExamination> {
  const { version, holder, state, is_restoring } = await stateOfServer(url);
  const found = is_restoring ? { pending: null, refusal: stillRestoring() } : await judged("postgresql", state);
  return { is: "there", name: `PostgreSQL ${version}`, holder, ...found };
}

async function judged(provider: Provider, state: MigrationState) {
  try {
    const { pending } = planMigration(state, await migrationNames(provider), OWN_RELEASE);
    return { pending: pending.length, refusal: null };
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return { pending: null, refusal: error };
  }
}

// Looks whether the journals of a database in use are as they were written.

type Thread = { readonly thread_id: string };
type Ended = Thread & { readonly is_said: number };

export const readChains = ({ connection }: Pick<Database, "connection">): KeptChains => ({
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
