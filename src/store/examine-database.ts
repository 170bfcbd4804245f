// Examines a database without using it, for `orch doctor`, and the journals of one in use.
import { access, constants, realpath } from "node:fs/promises";
import { OrchError } from "../domain/errors.ts";
import type { BrokenChain, JudgedPage, KeptChains } from "../domain/scorecard/kept-scores.ts";
import { askThrough, judgeJournal } from "./copy/heads.ts";
import type { Database } from "./database.ts";
import { guarded, reasonOf } from "./database-errors.ts";
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
import type { Provider } from "./sql.ts";
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

export const readChains = ({ client }: Pick<Database, "client">): KeptChains => {
  const { task, archived, journalEvent } = client;
  return {
    judgeChains: guarded(async (after, limit) => {
      const threads = await journalEvent.groupBy({
        by: ["thread_id"],
        where: { thread_id: { gt: after } },
        orderBy: { thread_id: "asc" },
        take: limit,
      });
      const broken: BrokenChain[] = [];
      for (const { thread_id } of threads) {
        const found = await judgeJournal(askThrough(client), { thread_id });
        if (typeof found === "number") broken.push({ thread_id, seq: found });
      }
      return pageOf(threads, limit, broken);
    }),
    missingEnds: guarded(async (after, limit) => {
      const ended = await task.findMany({
        where: { task_id: { gt: after }, ended_at: { not: null } },
        orderBy: { task_id: "asc" },
        take: limit,
        select: { task_id: true, status: true },
      });
      const ids = ended.map(({ task_id }) => task_id);
      // Of an archived journal only the last entry is here.
      const kept = await archived.findMany({ where: { task_id: { in: ids } }, select: { task_id: true } });
      const said = new Set(kept.map(({ task_id }) => task_id));
      // The report of an end names the status that the row has.
      for (const [status, tasks] of Map.groupBy(ended, (one) => one.status)) {
        const body = { contains: `"status":"${status}"` };
        const where = { thread_id: { in: tasks.map(({ task_id }) => task_id) }, kind: "reported", body };
        const reports = await journalEvent.findMany({ where, select: { thread_id: true } });
        for (const { thread_id } of reports) said.add(thread_id);
      }
      const threads = ids.map((thread_id) => ({ thread_id }));
      const missing = threads.filter(({ thread_id }) => !said.has(thread_id));
      return pageOf(
        threads,
        limit,
        missing.map(({ thread_id }) => ({ thread_id, seq: null })),
      );
    }),
  };
};

type Thread = { readonly thread_id: string };

const pageOf = (threads: readonly Thread[], limit: number, broken: readonly BrokenChain[]): JudgedPage => ({
  judged: threads.length,
  broken,
  last: threads.length < limit ? null : (threads.at(-1)?.thread_id ?? null),
});
