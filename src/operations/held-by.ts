// What holds a task, as a view shows it: only one that has not begun is held.
import type { HeldBy } from "../domain/freeze.ts";
import type { NextAction } from "../domain/next-action.ts";
import type { Task } from "../domain/task.ts";
import { hasStarted } from "../tasks/progress.ts";
import { type Projection, projection } from "../tasks/projection.ts";
import type { OperationDeps } from "./deps.ts";

type Deps = Pick<OperationDeps, "freezes">;

export const heldBy = (deps: Deps, task: Task, state: Projection): HeldBy | null =>
  hasStarted(state) ? null : heldUnlessBegun(deps, task);

/** The same of a row: nothing is read while nothing is frozen, or of a task that was never claimed. */
export async function heldByOf({ freezes, store }: Pick<OperationDeps, "freezes" | "store">, task: Task) {
  const held = heldUnlessBegun({ freezes }, task);
  if (held === null || task.status === "accepted") return held;
  const hasBegun = await store.readJournal(task.task_id).then(
    (journal) => hasStarted(projection(journal)),
    () => true,
  );
  return hasBegun ? null : held;
}

const heldUnlessBegun = ({ freezes }: Deps, task: Task): HeldBy | null =>
  task.status === "accepted" || task.status === "running" ? freezes.holdOn(task) : null;

export const SEE_FREEZES: NextAction = {
  operation: "list_freezes",
  arguments: {},
  text: "A freeze holds it; it starts by itself once that is over. Ask a human before anything is thawed.",
};
