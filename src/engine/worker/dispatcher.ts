// Decides when a task runs: one at a time per target (D-012), a bounded number at once, and again from its journal after an
// error or a stop (D-015). Looks again and again at the unfinished tasks, page by page, and says
// which of them this server may claim (D-221, D-313).

import { neededHere, servesLabels } from "../../domain/contract.ts";
import { isNewer, wordsOf } from "../../domain/errors.ts";
import { canRead, JOURNAL_LEVEL } from "../../domain/journal.ts";
import type { Quarantine } from "../../domain/quarantine.ts";
import type { Task, TaskColumns } from "../../domain/task.ts";
import type { Servers, Store, Timer } from "../../ports.ts";
import {
  isUnfinished,
  keptTarget,
  openTasks,
  pausedInTheMiddle,
  readTask,
  UNFINISHED,
  unfinishedInOrder,
} from "./recovery.ts";
import { createTaskQueue, type TaskQueue, type TaskQueueDeps, type TaskRef } from "./task-queue.ts";
import { createTaskRuns, leaseEnd, type Start, type TaskRunsDeps } from "./task-runs.ts";

export type DispatcherDeps = Omit<TaskRunsDeps, "onUnreadable"> &
  TaskQueueDeps & {
    readonly servers: Servers;
    /** What this server has: a task that needs more waits for another server. */
    readonly labels: readonly string[];
    /** Rejects while the database does not work. */
    readonly ping: () => Promise<unknown>;
    /** Names the tasks that cannot be read: they are not run, and keep their targets (D-233). */
    readonly quarantine?: Pick<Quarantine, "add" | "remove">;
  };

export type Dispatcher = {
  /** Without effect on a task that this server holds already, except for an answer to the question that it has just asked. */
  readonly dispatch: (task: TaskRef, start: Start) => void;
  /** Dispatches an unfinished task, unless a server that may live works on it (D-221). */
  readonly reclaim: (task: Task) => Promise<void>;
  /** Reclaims unfinished tasks that this server does not hold, a page at each call (D-222). */
  readonly reconcile: () => Promise<void>;
  /** Another server has reported the end or a pause of a task. */
  readonly reported: (task_id: string) => void;
  /** Dispatches every unfinished task, and holds the target of each one that paused in the middle of its steps. */
  readonly recover: () => Promise<void>;
  /** Frees the target of a task that ended while it was paused, and deletes its checkpoints. */
  readonly forget: (task: TaskRef) => Promise<void>;
  readonly renewLeases: () => Promise<void>;
  /** Claims nothing and starts no further step. Resolves when the running ones have ended, and their tasks are left to others. */
  readonly leave: () => Promise<void>;
  readonly isLeaving: () => boolean;
  /** The same, and after `ms` it kills the running steps; their outcome is unknown. */
  readonly drain: (ms: number) => Promise<void>;
  /** It runs as many tasks as it may. */
  readonly isFull: () => boolean;
};

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, owner, servers, labels } = deps;
  const queue = createTaskQueue(deps, {
    isHeld: (task_id) => runs.held().has(task_id),
    retry: async (waiting) => {
      try {
        const task = await store.findTask(waiting.task_id);
        if (task !== null) await reclaim(task);
      } finally {
        // It has ended, or another server has it.
        if (!runs.held().has(waiting.task_id)) queue.release(waiting);
      }
    },
  });
  const onUnreadable = (task: TaskRef, error: unknown): void => name(task.task_id, error);
  const runs = createTaskRuns({ ...deps, onUnreadable }, { queue, usable: createProbe(deps) });
  const { name, quarantine } = createQuarantining(deps, {
    hold: (task) => runs.hold(task),
    keep: queue.keep,
  });
  const nextPage = createPages(store);
  const unowned = createUnowned();
  const mayClaim = (task: TaskColumns): boolean =>
    !runs.isStopped() && mayRunOn(labels, task) && isClaimable(task, servers) && !queue.keepOut(task);

  const reclaim = async (task: Task): Promise<void> => {
    if (!isUnfinished(task) || !mayClaim(task)) return;
    const start = recoveryOf(task, deps);
    // Its owner may have come back since the last look: then it is asked to leave, or the task is left to it.
    if (task.owner === null || task.owner === owner || (await servers.takeOver(task.owner))) runs.dispatch(task, start);
  };

  const reconcile = async (): Promise<void> => {
    // A task that was held when the rows were read may have paused or ended since.
    const held = runs.held();
    await servers.look();
    await queue.look();
    const { tasks, is_first } = await nextPage();
    if (is_first) unowned.nextLook();
    for (const columns of tasks) {
      if (held.has(columns.task_id) && queue.waitsForItself(columns)) {
        deps.log.error({ task_id: columns.task_id }, "a task waited for its own target; it goes on before the others");
        queue.goFirst(columns);
      }
      const isOfOthers = servers.are_many && columns.owner === null && (unowned.isNew(columns) || queue.isFull());
      if (isOfOthers || held.has(columns.task_id) || !mayClaim(columns) || deps.holdBack.keeps(columns)) continue;
      const task = await readTask(store, columns, quarantine);
      if (task !== null) await reclaim(task);
    }
  };

  const leave = async (): Promise<void> => {
    runs.stop();
    deps.threads.drain();
    await runs.onIdle();
  };

  return {
    dispatch: (task, start) => {
      if (mayRunOn(labels, task)) runs.dispatch(task, start);
      else void deps.onWaiting?.(task);
    },
    reclaim,
    reconcile: () => reconcile().then(queue.retryFree),
    reported: queue.reported,
    forget: async (task) => {
      runs.forget(task);
      queue.release(task);
      deps.quarantine?.remove("task", task.task_id);
      await deps.checkpoints.deleteThread(task.task_id);
    },
    recover: async () => {
      await deps.checkpoints.sweep();
      const tasks = await openTasks(store, quarantine);
      await queue.look();
      for (const task of await pausedInTheMiddle(store, tasks, quarantine)) await queue.keep(task);
      for (const task of await unfinishedInOrder(store, tasks, quarantine)) {
        // While a server that may live works on it, no other task may have its target. One that waits for a server may not have begun.
        if (!servers.are_many && !mayClaim(task) && (task.status === "running" || mayRunOn(labels, task)))
          await queue.keep(task);
        await reclaim(task);
      }
    },
    renewLeases: () => store.renewLeases(owner, leaseEnd(deps)),
    leave,
    isLeaving: runs.isStopped,
    isFull: queue.isFull,
    drain: async (ms) => {
      await Promise.race([leave(), new Promise<void>((resolve) => deps.timer(resolve, ms))]);
      deps.threads.abandon();
      await runs.onIdle();
    },
  };
}

type Quarantining = {
  readonly hold: (task: TaskColumns) => void;
  readonly keep: TaskQueue["keep"];
};

/** Holds a task that cannot be read, with its target, and names it. */
function createQuarantining(deps: DispatcherDeps, { hold, keep }: Quarantining) {
  const name = (task_id: string, error: unknown): void => {
    const logged = { task_id, err: error };
    if (isNewer(error)) {
      deps.log.error(logged, "a task is left to a server of the version that has written it");
      return;
    }
    deps.log.error(logged, "a task cannot be read; it is not run, and keeps a target that it may have changed");
    deps.quarantine?.add({ record: "task", id: task_id, fault: wordsOf(error) });
  };
  const quarantine = async (task: TaskColumns, error: unknown): Promise<void> => {
    // While the database does not work, the fault says nothing about the task.
    await deps.ping();
    hold(task);
    // Which target a task has that another server goes on with is in the rows of the two.
    const isElsewhere = isNewer(error) && deps.servers.are_many;
    const kept = isElsewhere ? null : await keptTarget(deps.store, task);
    if (kept !== null) await keep({ ...kept, status: task.status });
    name(task.task_id, error);
  };
  return { name, quarantine };
}

// The unfinished tasks, page by page, as a server looks at them again and again.

const PAGE = 1_000;

/** A page of the unfinished tasks at each call, then from the beginning again: a look costs the same for any number (D-222). */
function createPages(store: Pick<Store, "listTaskColumns">) {
  let after: string | undefined;
  return async () => {
    const is_first = after === undefined;
    const tasks = await store.listTaskColumns({ status: UNFINISHED, limit: PAGE, after });
    after = tasks.length < PAGE ? undefined : tasks.at(-1)?.task_id;
    return { tasks, is_first };
  };
}

/**
 * A task without an owner was accepted, answered or given back a moment ago, and a server that was asked claims it: the others do not,
 * until they see it so a second time (D-333).
 */
function createUnowned() {
  let before: ReadonlySet<string> = new Set();
  let seen = new Set<string>();
  return {
    nextLook: (): void => {
      before = seen;
      seen = new Set();
    },
    isNew: ({ task_id }: Pick<TaskColumns, "task_id">): boolean => {
      seen.add(task_id);
      return !before.has(task_id);
    },
  };
}

type Owned = Pick<Task, "owner" | "lease_expires_at">;

/** Whether this server, with these labels, may work on the task at all (D-322, D-329). */
export const mayRunOn = (labels: readonly string[], task: Pick<Task, "backend" | "runs_on" | "needs_level">): boolean =>
  canRead(JOURNAL_LEVEL, task.needs_level) && servesLabels(labels, neededHere(task));

type Recovering = {
  readonly servers: Pick<Servers, "owner" | "stateOf">;
  /** Whether everything that a server before, or a lost runner of this server, had left running was ended. */
  readonly cleared: () => boolean;
};

export const isClaimable = (task: Owned, servers: Pick<Servers, "stateOf">): boolean =>
  task.owner === null || !servers.stateOf(task).lives;

/** How a claimed task starts: the server that worked on it may have ended without being stopped (D-258). */
export function recoveryOf(row: Owned, { servers, cleared }: Recovering): Extract<Start, { kind: "recover" }> {
  const { owner, lease_expires_at } = row;
  const { may_have_crashed, is_over } = servers.stateOf(row);
  // Without a lease nothing of it ran any more: a server that is killed while it stops was not ended by this task.
  const isAnother = owner !== null && owner !== servers.owner && lease_expires_at !== null;
  // Whether nothing that the owner before has started runs any more (D-300).
  const hasEndedAll =
    owner === null || lease_expires_at === null || (cleared() && (owner === servers.owner || is_over));
  return {
    kind: "recover",
    left_by: owner,
    ...(isAnother && may_have_crashed && { crashed: true as const }),
    ...(hasEndedAll && { cleared: true as const }),
  };
}

type Deps = { readonly ping: () => Promise<unknown>; readonly timer: Timer };

const PROBE_MS = 1_000;

/** The function that it returns resolves after a pause, once a probe succeeds. */
export function createProbe({ ping, timer }: Deps): () => Promise<void> {
  let usable: Promise<void> | null = null;

  const probe = (resolve: () => void): void => {
    const succeed = () => {
      usable = null;
      resolve();
    };
    timer(() => void ping().then(succeed, () => probe(resolve)), PROBE_MS);
  };

  return () => (usable ??= new Promise(probe));
}
