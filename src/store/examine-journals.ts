// Looks whether the journals of a database in use are as they were written.
import type { BrokenChain, JudgedPage, KeptChains } from "../domain/scorecard/kept-scores.ts";
import { judgeJournal } from "./copy/heads.ts";
import type { Database } from "./database.ts";
import { guarded } from "./fault.ts";

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
