// Which labels a task waits for that no live server has: it stays queued until a server has them (D-323).
import { labelsWithoutServer, neededHere, servesLabels } from "../domain/labels.ts";
import type { Server } from "../domain/server.ts";
import type { Task } from "../domain/task.ts";
import type { OperationDeps } from "./deps.ts";

type Deps = Pick<OperationDeps, "store" | "labels">;

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
