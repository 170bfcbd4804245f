// The rows that are left at the end: no target may be kept for a task that has ended, or that waits and has not begun. What was found is
// written down with the rows, because the database is removed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ask } from "../../support/read-journals.ts";
import type { Finding } from "../checker/history.ts";

const LEAKED = `
  SELECT task_id, target_signature, status FROM target_hold JOIN task USING (task_id, target_signature)
  WHERE status IN ('ok', 'failed', 'blocked', 'cancelled')
    OR (status IN ('need_input', 'need_approval')
      AND NOT EXISTS (SELECT 1 FROM journal_event WHERE thread_id = task_id AND kind LIKE '%step_started'))`;
const Leaked = z.array(z.object({ task_id: z.string(), target_signature: z.string(), status: z.string() }));

export async function leakedHolds(url: string): Promise<Finding[]> {
  return Leaked.parse(await ask(url, LEAKED)).map(({ task_id, target_signature, status }) => ({
    kind: "leaked hold",
    task_id,
    text: `it is ${status}, and has the target ${target_signature} still`,
  }));
}

export async function writeRows(url: string, directory: string): Promise<void> {
  for (const table of ["task", "target_hold", "server", "journal_event"])
    writeFileSync(join(directory, `${table}.json`), JSON.stringify(await ask(url, `SELECT * FROM ${table}`), null, 1));
}
