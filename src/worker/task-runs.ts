// Runs the tasks that this server holds: each waits for its turn, runs, is recovered after an error, and is left to the
// others when the server drains. A task that is held is not dispatched a second time, so a dispatch may be repeated.
import { isNewer, isQuarantined, OrchError } from "../domain/errors.ts";
import type { Store, Timer } from "../ports.ts";
import { isProgress, type Projection } from "../tasks/projection.ts";

import { type GivenUp, giveUp } from "./give-up.ts";
import type { HoldBack } from "./hold-back.ts";
import { type RunTaskDeps, releaseTask, runTask, type Segment, type Start, type TaskRef } from "./run-thread.ts";
import type { TaskQueue } from "./task-queue.ts";
import { isFenced } from "./thread-journal.ts";

export type TaskRunsDeps = RunTaskDeps & {
  readonly timer: Timer;
  /** Called for a task that this server leaves: another server may have it. */
  readonly onWaiting?: (task: TaskRef) => Promise<void>;
  /** Whether everything was ended that a server before, or a lost process for commands, had left running. */
  readonly cleared: () => boolean;
  /** Called with the projection of a task that has finished: candidates are promoted from here. */
  readonly onFinished: (projection: Projection) => void;
  /** Called for a task whose journal cannot be read any more: it stays held and keeps its target. */
  readonly onUnreadable: (task: TaskRef, error: unknown) => void;
  /** Called after a task has paused: its approval may expire. */
  readonly onPaused: () => void;
  readonly holdBack: HoldBack;
};

type Within = {
  readonly queue: TaskQueue;
  /** Resolves once the database works again. */
  readonly usable: () => Promise<void>;
};

/** `answered` is a resume that arrived before the segment that asked was over. */
type Held = {
  /** Null for a task that is not run. */
  readonly task: TaskRef | null;
  start: Start;
  is_running: boolean;
  answered: Start | null;
  readonly attempts: Attempts;
};

export function createTaskRuns(deps: TaskRunsDeps, { queue, usable }: Within) {
  const held = new Map<string, Held>();
  const leaving = createLeaving(deps, held, queue);

  const enqueue = (task: TaskRef, entry: Held): void => {
    // One that was cancelled meanwhile has given its target back.
    if (held.get(task.task_id) === entry)
      queue.enqueue(task, { is_recovery: entry.start.kind === "recover" }, () => run(task, entry));
  };

  const dispatch = (task: TaskRef, start: Start): void => {
    const known = held.get(task.task_id);
    if (known?.is_running === true && start.kind === "resume") known.answered = start;
    if (known !== undefined) return;
    const entry = hold(task.task_id, task, start);
    if (leaving.isLeaving()) leaving.leave(task, entry);
    else enqueue(task, entry);
  };
  const hold = (task_id: string, task: TaskRef | null, start: Start): Held => {
    const entry = heldAs(task, start);
    held.set(task_id, entry);
    return entry;
  };

  async function run(task: TaskRef, entry: Held): Promise<void> {
    if (leaving.isLeaving() || held.get(task.task_id) !== entry) return;
    entry.is_running = true;
    try {
      const segment = await runUnlessHeld(task, entry.start);
      held.delete(task.task_id);
      report(task, segment);
      if (segment?.result === "paused" && entry.answered !== null) dispatch(task, entry.answered);
    } catch (error) {
      entry.is_running = false;
      if (isNewer(error)) leaving.alone(task, error);
      else if (isFenced(error)) leaving.lost(task);
      else void recoverAfter(task, entry, error);
    }
  }

  /** Nothing is begun where it is known that the claim would be refused. Null for a task that is held. */
  const runUnlessHeld = async (task: TaskRef, start: Start): Promise<Ran | null> =>
    queue.keepOut(task) ? TARGET_HELD : deps.holdBack.around(task, () => runTask(deps, task, start));

  function report(task: TaskRef, segment: Ran | null): void {
    // One that another server's task keeps out stays before those that wait here for the same target.
    if (segment?.result === "target_held") queue.setAside(task);
    else if (segment?.frees_target !== false) queue.release(task);
    if (segment?.result === "released") leaving.passOn(task);
    if (segment?.result === "finished") deps.onFinished(segment.projection);
    else if (segment?.result === "paused") deps.onPaused();
  }

  async function recoverAfter(task: TaskRef, entry: Held, error: unknown): Promise<void> {
    const { task_id } = task;
    deps.log.error({ task_id, err: error }, "a task was cut off by an error; it is recovered from its journal");
    const next = await afterCutOff({ ...deps, usable }, { task_id, attempts: entry.attempts, error });
    if (next.is === "again" && leaving.isLeaving()) return leaving.leave(task, entry);
    if (next.is === "again") {
      entry.start = { kind: "recover", after: faultOf(error), ...(deps.cleared() && { cleared: true }) };
      deps.timer(() => enqueue(task, entry), next.in_ms);
      return;
    }
    if (next.is === "quarantined") return deps.onUnreadable(task, next.error);
    held.delete(task_id);
    if (next.is === "failed") queue.release(task);
    else deps.onPaused();
  }

  return {
    dispatch,
    held: (): ReadonlySet<string> => new Set(held.keys()),
    /** Holds a task that is not run. */
    hold: ({ task_id }: Pick<TaskRef, "task_id">): void => void hold(task_id, null, { kind: "recover" }),
    /** A task that has ended while it waited is not run any more. */
    forget: ({ task_id }: TaskRef): void => void (held.get(task_id)?.is_running === false && held.delete(task_id)),
    /** Runs nothing from now on, and leaves to the others what waits here. */
    stop: leaving.begin,
    isStopped: leaving.isLeaving,
    onIdle: () => queue.onIdle().then(leaving.done),
  };
}

function createLeaving(deps: TaskRunsDeps, held: Map<string, Held>, queue: TaskQueue) {
  const { passOn, done } = createPassOn(deps);
  let isLeaving = false;
  const leave = (task: TaskRef, { attempts: { count } }: Held): void => {
    held.delete(task.task_id);
    queue.release(task);
    passOn(task, count > 0);
  };
  return {
    leave,
    passOn,
    done,
    isLeaving: (): boolean => isLeaving,
    /** Another server has it. */
    lost: (task: TaskRef): void => {
      held.delete(task.task_id);
      queue.release(task);
    },
    /** A server of a newer version goes on with it. Here it stays held, and is not run. */
    alone: (task: TaskRef, error: unknown): void => {
      queue.release(task);
      passOn(task, true);
      held.set(task.task_id, heldAs(null, { kind: "recover" }));
      deps.onUnreadable(task, error);
    },
    begin: (): void => {
      if (isLeaving) return;
      isLeaving = true;
      queue.close();
      for (const entry of [...held.values()]) if (entry.task !== null && !entry.is_running) leave(entry.task, entry);
    },
  };
}

const heldAs = (task: TaskRef | null, start: Start): Held => ({
  task,
  start,
  is_running: false,
  answered: null,
  attempts: { count: 0, progress: 0 },
});

const TARGET_HELD = { result: "target_held", frees_target: true } as const;
type Ran = Segment | typeof TARGET_HELD;

// What a server that drains leaves to the others (D-327): it says so of each task that waits here, or was between two of its steps, so that a
// server with a free place looks at it at once.

function createPassOn(deps: TaskRunsDeps) {
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

// What follows when an error of orch cuts a task off: it is recovered from its journal, and given up only after several
// attempts without progress (D-015), or at once where a record cannot be read. A database that does not work is waited for (D-225).

/** Attempts since the last progress. One object for as long as the task is held; `afterCutOff` keeps it up to date. */
type Attempts = { count: number; progress: number };

type CutOff = { readonly task_id: string; readonly attempts: Attempts; readonly error: unknown };

type AfterCutOff = { readonly is: "again"; readonly in_ms: number } | GivenUp;

const RETRY_MS = [1_000, 5_000, 30_000];
const LAST_RETRY_MS = 30_000;
/** A second apart. */
const DATABASE_ATTEMPTS = 30;

async function afterCutOff(
  deps: TaskRunsDeps & Pick<Within, "usable">,
  { task_id, attempts, error }: CutOff,
): Promise<AfterCutOff> {
  const known = error instanceof OrchError ? error : null;
  const by_database = known?.code === "database_unusable";
  if (by_database) await deps.usable();
  const progress = await progressOf(deps.store, task_id);
  if (progress > attempts.progress) Object.assign(attempts, { count: 0, progress });
  const most = by_database ? DATABASE_ATTEMPTS : RETRY_MS.length;
  if (attempts.count >= most || isQuarantined(error)) {
    const given_up = await giveUp(deps, task_id, faultOf(error));
    if (given_up !== null) return given_up;
  }
  const in_ms = by_database ? 0 : (RETRY_MS[attempts.count] ?? LAST_RETRY_MS);
  attempts.count += 1;
  return { is: "again", in_ms };
}

/** For readers of the task: what an unexpected error says is in the log only. */
const faultOf = (error: unknown): string =>
  error instanceof OrchError ? error.message : "an unexpected error, see the log";

const progressOf = (store: Store, task_id: string): Promise<number> =>
  store.readJournal(task_id).then(
    (journal) => journal.filter(isProgress).length,
    () => 0,
  );
