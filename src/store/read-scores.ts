// Reads what is folded from the journal for the scorecard, and what the fold has still to read (D-287).
import { SCORING_KINDS } from "../domain/journal.ts";
import { Counts } from "../domain/scorecard/counts.ts";
import { type Counted, type KeptScores, type KeyedTally, TALLY_KEY } from "../domain/scorecard/kept-scores.ts";
import type { SopRun } from "../domain/scorecard/record.ts";
import { TaskScore } from "../domain/scorecard/task-score.ts";
import type { Database } from "./database.ts";
import type { TaskScore as ScoreRow } from "./generated/sqlite/client.ts";
import { findRow, isWhole, read } from "./rows.ts";
import { given, guarded, KNOWN_COLUMNS, type Statement } from "./sql.ts";

export const readScores = ({ connection }: Database): KeptScores => ({
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
