// What a server that drains leaves to the others (D-327): it says so of each task that waits here, or was between two of its steps, so that a
// server with a free place looks at it at once.
import { isFenced } from "./fence.ts";
import { type RunTaskDeps, releaseTask, type TaskRef } from "./run-thread.ts";

type Deps = Pick<RunTaskDeps, "store" | "owner" | "log"> & {
  readonly cleared: () => boolean;
  readonly onWaiting?: (task: TaskRef) => Promise<void>;
};

export function createPassOn(deps: Deps) {
  const { cleared, onWaiting, log } = deps;
  const passed: Promise<void>[] = [];
  return {
    /** `was_claimed`: an error has cut it off here, so it is still this server's. */
    passOn: (task: TaskRef, was_claimed = false): void => {
      const { task_id } = task;
      const released = was_claimed && cleared() ? releaseTask(deps, task_id) : Promise.resolve();
      const said = released
        .then(() => onWaiting?.(task))
        .catch((err: unknown) => {
          if (!isFenced(err)) log.error({ task_id, err }, "the other servers find a task that is left to them later");
        });
      passed.push(said);
    },
    done: async (): Promise<void> => void (await Promise.all(passed)),
  };
}
