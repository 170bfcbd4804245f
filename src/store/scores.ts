// Reads what is folded from the journal for the scorecard, and what the fold has still to read (D-290).
import { SCORING_KINDS } from "../domain/journal.ts";
import type { CountedTask } from "../domain/scorecard/counted-task.ts";
import { TaskScore } from "../domain/scorecard/task-score.ts";
import type { Store } from "../ports.ts";
import type { Database } from "./database.ts";
import { guarded } from "./fault.ts";
import type { TaskScore as ScoreRow } from "./generated/sqlite/client.ts";
import { findRow } from "./row-statements.ts";
import { isWhole } from "./row-sum.ts";
import { read } from "./rows.ts";

type Scores = Pick<Store, "readScoring" | "findDuty" | "findScore" | "scoresOfSop" | "readCounted" | "firstWeeks">;

export const readScores = ({ connection }: Database): Scores => ({
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
  readCounted: guarded(async ({ from, after = { week: from, task_id: "" }, limit }) => {
    const rows = await connection.rows<Counted>({ sql: COUNTED, args: [after.week, after.task_id, limit] });
    return rows.map((row) => ({ ...row, unknown: nested(row.unknown), gate: nested(row.gate) }) as CountedTask);
  }),
  firstWeeks: guarded(async () => {
    const rows = await connection.rows<{ readonly target_signature: string; readonly week: string }>(FIRST_WEEKS);
    return new Map(rows.map(({ target_signature, week }) => [target_signature, week]));
  }),
});

const SCORING = `SELECT cursor, thread_id FROM journal_event
  WHERE cursor > ? AND kind IN (${SCORING_KINDS.map(() => "?").join(", ")}) ORDER BY cursor LIMIT ?`;

const OF_SOP = "SELECT * FROM task_score WHERE sop_id = ? ORDER BY ended_at DESC, task_id LIMIT ?";
const VERIFIED_OF_SOP =
  "SELECT * FROM task_score WHERE sop_id = ? AND verified IS NOT NULL ORDER BY ended_at DESC, task_id LIMIT ?";

const LEFT_OUT = ["accepted_at", "passed", "checks", "retries"];
const COLUMNS = Object.keys(TaskScore.shape).filter((column) => !LEFT_OUT.includes(column));
const COUNTED = `SELECT ${COLUMNS.join(", ")} FROM task_score WHERE (week, task_id) > (?, ?) ORDER BY week, task_id LIMIT ?`;

const FIRST_WEEKS = {
  sql: "SELECT target_signature, MIN(week) AS week FROM task_score GROUP BY target_signature",
  args: [],
};

type Counted = Omit<CountedTask, "unknown" | "gate"> & Pick<ScoreRow, "unknown" | "gate">;

const nested = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

const scoreOf = (row: ScoreRow): TaskScore => read(TaskScore, `score of ${row.task_id}`, ["unknown", "gate"], row);
