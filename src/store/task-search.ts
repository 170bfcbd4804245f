// Tasks with a text in their id, intent or target. The typed client would match `%` and `_` of the text as patterns, and letters of another
// case on one database only.
import type { TaskFilter } from "../domain/task.ts";
import type { Provider, Statement, Value } from "./sql.ts";

type Search = TaskFilter & {
  readonly q: string;
  readonly take: number;
  readonly after: string | undefined;
};

/** Where a text begins in another one, and a text in small letters: both of ASCII only. */
const FUNCTIONS: Readonly<Record<Provider, readonly [position: string, small: (column: string) => string]>> = {
  sqlite: ["instr", (column) => `lower(${column})`],
  postgresql: ["strpos", (column) => `lower(${column} COLLATE "C")`],
};

const SEARCHED = ["task_id", "intent", "target_signature"];
const COLUMNS = ["status", "intent", "target_signature", "sop_id"] as const;

/** Newest first. The index by time gives the order, so a full page ends the search. */
export function tasksWith(
  provider: Provider,
  { q, take, after, since, verified, waits_for, ...given }: Search,
): Statement {
  const [position, small] = FUNCTIONS[provider];
  const text = q.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const found = SEARCHED.map((column) => `${position}(${small(column)}, ?) > 0`).join(" OR ");
  const conditions: (readonly [sql: string, ...args: Value[]])[] = [[`(${found})`, ...SEARCHED.map(() => text)]];
  for (const column of COLUMNS) {
    const value = given[column];
    if (value !== undefined) conditions.push([`${column} = ?`, value]);
  }
  if (since !== undefined) conditions.push(["created_at >= ?", since]);
  if (verified === "none") conditions.push(["verification IS NULL"]);
  else if (verified !== undefined) conditions.push([`${position}(verification, ?) > 0`, `"verified":${verified}`]);
  if (waits_for !== undefined) conditions.push([`${position}(waiting, ?) > 0`, `"kind":"${waits_for}"`]);
  if (after !== undefined) {
    const before = "SELECT last.created_at, last.task_id FROM task last WHERE last.task_id = ?";
    conditions.push([`(created_at, task_id) < (${before})`, after]);
  }
  return {
    sql: `SELECT * FROM task WHERE ${conditions.map(([sql]) => sql).join(" AND ")} ORDER BY created_at DESC, task_id DESC LIMIT ?`,
    args: [...conditions.flatMap(([, ...args]) => args), take],
  };
}
