// freeze with now: what runs and is frozen is cancelled in the way of cancel_task, with the reason of the freeze.
import type { z } from "zod";
import { wordsOf } from "../domain/errors.ts";
import { type Freeze, type FreezeScope, holds } from "../domain/freeze.ts";
import type { Task, TaskColumns } from "../domain/task.ts";
import { hasStarted } from "../tasks/progress.ts";
import { projection } from "../tasks/projection.ts";
import { handleCancelTask } from "./cancel-task.ts";
import type { OperationDeps } from "./deps.ts";
import type { Caller } from "./operation.ts";
import type { freeze as shape } from "./shapes/freezes.ts";

type Stopped = z.infer<(typeof shape)["output"]>["cancelled"][number];

const PAGE = 500;

type Begun = "running" | "need_input" | "need_approval";

/**
 * The tasks of a status that have begun and are frozen from now on: the others take no first step any more. One that waits for an
 * answer runs nothing, and goes on with it.
 */
export async function frozenTasks(
  { store }: OperationDeps,
  freeze: FreezeScope,
  status: readonly Begun[],
): Promise<TaskColumns[]> {
  const found: TaskColumns[] = [];
  for (let after: string | undefined; ; ) {
    const page = await store.listTaskColumns({ status, limit: PAGE, after });
    for (const task of page) if (holds(freeze, task) && (await hasBegun(store, task))) found.push(task);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    after = last.task_id;
  }
}

/** Of a journal that cannot be read it is not known. */
const hasBegun = (store: OperationDeps["store"], { task_id }: Pick<Task, "task_id">): Promise<boolean> =>
  store.readJournal(task_id).then(
    (journal) => hasStarted(projection(journal)),
    () => true,
  );

type Stop = { readonly freeze: Freeze; readonly tasks: readonly TaskColumns[]; readonly caller: Caller };

/** All at once: each step has seconds to end. One that cannot be cancelled does not keep the others running. */
export const stopFrozen = (deps: OperationDeps, { freeze, tasks, caller }: Stop): Promise<Stopped[]> =>
  Promise.all(
    tasks.map(async ({ task_id, intent, target_signature }) => {
      const task = { task_id, intent, target_signature };
      const reason = `frozen (${freeze.freeze_id}): ${freeze.reason}`;
      try {
        const { status, outcome } = await handleCancelTask(deps)({ task_id, reason }, caller);
        return { ...task, status, outcome: outcome?.message ?? "It was asked to stop and has not ended yet." };
      } catch (error) {
        const status = await deps.store.findTask(task_id).then(
          (found) => found?.status ?? null,
          () => null,
        );
        return { ...task, status, outcome: wordsOf(error) };
      }
    }),
  );
