// What a task waits for that no live server has: its labels (D-323), or a version that can read its journal (D-329).
import { canRead, JOURNAL_LEVEL, levelWithoutServer } from "../domain/journal-level.ts";
import { labelsWithoutServer, neededHere, servesLabels } from "../domain/labels.ts";
import type { Server } from "../domain/server.ts";
import type { Task } from "../domain/task.ts";
import type { OperationDeps } from "./deps.ts";

type Deps = Pick<OperationDeps, "store" | "labels">;

/** The level that it needs of a server, where none that lives has it. */
export function waitsForLevel({ store }: Pick<Deps, "store">) {
  let live: Promise<readonly Server[]> | null = null;
  return async ({ needs_level }: Pick<Task, "needs_level">): Promise<number | null> => {
    if (canRead(JOURNAL_LEVEL, needs_level)) return null;
    live ??= store.listServers();
    return levelWithoutServer(await live, needs_level);
  };
}

/** Reads the servers once for a list of tasks, and not at all where this one has what each of them needs. */
export function waitsForLabels({ store, labels }: Deps) {
  let live: Promise<readonly Server[]> | null = null;
  return async (task: Pick<Task, "status" | "owner" | "backend" | "runs_on">): Promise<string[] | null> => {
    const waits = task.status === "accepted" || task.status === "running";
    if (!waits || servesLabels(labels, neededHere(task))) return null;
    live ??= store.listServers();
    return labelsWithoutServer(await live, task);
  };
}
