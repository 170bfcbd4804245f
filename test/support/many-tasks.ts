// A long list of tasks that have ended, in the database of a server that has not started yet.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { TaskContract } from "../../src/domain/contract.ts";
import { accept, cancel, isRefusal } from "../../src/engine/tasks/transitions.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createStore } from "../../src/store/store.ts";
import { contractBody } from "./builders.ts";

const SECOND_MS = 1_000;

/** The oldest was accepted so many seconds ago as there are tasks. */
export async function keepTasks(data_dir: string, count: number): Promise<void> {
  await mkdir(join(data_dir, "state"), { recursive: true });
  const database = await openDatabase({ url: `file:${join(data_dir, "state", "orch.db")}` });
  const store = createStore({ database, clock: () => new Date() });
  const begun = Date.now() - count * SECOND_MS;
  for (let nth = 0; nth < count; nth++) {
    const target = { service: `service-${nth % 40}` };
    const contract = TaskContract.parse(contractBody({ task_id: `past-${nth}`, target, success_criteria: [] }));
    const at = new Date(begun + nth * SECOND_MS).toISOString();
    const { task, events, changes } = accept({ contract, backend: "local", at });
    const accepted = await store.commit({ thread_id: task.task_id, after: null, events, changes });
    const ended = cancel(task, { reason: "it is past", job: null, at, withdrawn: [], restored: null });
    if (!accepted.ok || isRefusal(ended)) throw new Error(`task ${task.task_id} was not stored`);
    await store.commit({ thread_id: task.task_id, after: "last", ...ended });
  }
  await database.close();
}
