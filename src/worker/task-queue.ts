// Decides whose turn it is: one task at a time per target (D-012), here and on the other servers (D-314), and a bounded number at once.
// The queue of a target has the order in which tasks came, and gives way to an older task of another server (D-402).
import { realpath } from "node:fs/promises";
import PQueue from "p-queue";
import { exclusiveTarget } from "../domain/contract.ts";
import { targetOfSignature, targetSignature } from "../domain/target.ts";
import type { Servers, Store, Timer } from "../ports.ts";
import type { HoldBack } from "./hold-back.ts";
import type { TaskRef } from "./run-thread.ts";
import {
  createGiveWay,
  createSetAside,
  type Paused,
  type TargetHolds,
  type Targeting,
  type TargetLocks,
} from "./targets.ts";

export type TaskQueueDeps = {
  readonly store: Pick<Store, "listTaskColumns">;
  readonly servers: Pick<Servers, "are_many">;
  readonly locks: TargetLocks;
  readonly holds: TargetHolds;
  readonly holdBack: Pick<HoldBack, "keeps">;
  readonly timer: Timer;
  readonly concurrency: number;
  /** Called for a task that waits for a free slot or for labels, or that this server leaves: another server may have them. */
  readonly onWaiting?: (task: TaskRef) => Promise<void>;
  /** Called with whether there is a free slot, when that may have changed. */
  readonly onPlaces?: (is_free: boolean) => void;
};

type Around = {
  /** Whether this server holds the task. */
  readonly isHeld: (task_id: string) => boolean;
  /** Tries a task again that was set aside. Rejects while the database does not work: then a look finds the task. */
  readonly retry: (task: Targeting) => Promise<void>;
};

export type TaskQueue = {
  /** Calls `run` in the turn of the task: it has its target here, and there is a free slot. */
  readonly enqueue: (task: TaskRef, from: { readonly is_recovery: boolean }, run: () => Promise<void>) => void;
  /** The next task has its turn at the target. */
  readonly release: (task: Targeting) => void;
  /** For a task whose target a task of another server has: it keeps its place here, and is tried again once that one has reported. */
  readonly setAside: (task: Targeting) => void;
  /** The task has ended or paused: what it had is free, until a look says otherwise. */
  readonly reported: (task_id: string) => void;
  /** Tries again what was set aside, after a look: a report may have been missed. */
  readonly retryFree: () => Promise<void>;
  /** The task has its target without running. */
  readonly keep: (task: Paused) => Promise<void>;
  /** Whether the task waits here for the target that it has: it lost its lease, and another one has taken its place. */
  readonly waitsForItself: (task: Targeting) => boolean;
  /** It has its target before the others. */
  readonly goFirst: (task: Targeting) => void;
  readonly look: TargetHolds["look"];
  readonly keepOut: TargetHolds["keepOut"];
  readonly isFull: () => boolean;
  /** There is no free slot for another server to hear of any more. */
  readonly close: () => void;
  readonly onIdle: () => Promise<void>;
};

export function createTaskQueue(deps: TaskQueueDeps, { isHeld, retry }: Around): TaskQueue {
  const { servers, locks, holds, timer } = deps;
  const real_targets = new Map<string, string>();
  const slots = createSlots(deps);
  const release = (task: Targeting): void => {
    const target = exclusiveTarget(task);
    if (target === null) return;
    const real = real_targets.get(task.task_id);
    real_targets.delete(task.task_id);
    if (real !== undefined) locks.release(real, task.task_id);
    locks.release(target, task.task_id);
    aside.free(task.task_id);
  };
  const aside = createSetAside({ holds, retry, release });
  const giveWay = createGiveWay({ ...deps, isHere: (task_id) => isHeld(task_id) || aside.has(task_id) });

  /** Whether another task has its target here. */
  const isTaken = (task: Targeting): boolean => {
    const target = exclusiveTarget(task);
    const holder = target === null ? null : locks.holderOf(target);
    return holder !== null && holder !== task.task_id;
  };

  /** Queues for the directory only with the target in hand: two tasks never wait for each other. */
  async function queueFor(target: string, task: Targeting): Promise<{ readonly acquired: Promise<void> }> {
    const { task_id } = task;
    await locks.acquire(target, task_id, holds.isHolder(task));
    const real = await realTarget(target, timer);
    // A task that was released meanwhile locks nothing.
    if (real === null || locks.holderOf(target) !== task_id) return { acquired: Promise.resolve() };
    real_targets.set(task_id, real);
    return { acquired: locks.acquire(real, task_id) };
  }

  const acquire = async (task: Targeting): Promise<void> => {
    const target = exclusiveTarget(task);
    if (target !== null) await (await queueFor(target, task)).acquired;
  };

  async function itsTurn(task: TaskRef, is_recovery: boolean): Promise<void> {
    // Only what finds its target free at first is certain to be the next one.
    const comesNext = !is_recovery && !isTaken(task);
    await acquire(task);
    if (!comesNext && !holds.keepOut(task)) await giveWay(task);
  }

  return {
    enqueue: (task, { is_recovery }, run) => void itsTurn(task, is_recovery).then(() => slots.take(task, run)),
    release,
    setAside: aside.add,
    reported: aside.free,
    retryFree: aside.retryFree,
    keep: async (task) => {
      if (servers.are_many) return holds.ensure(task);
      const target = exclusiveTarget(task);
      const queued = target === null ? null : queueFor(target, task);
      if (!isTaken(task)) await queued;
    },
    waitsForItself: (task) => holds.isHolder(task) && isTaken(task),
    goFirst: (task) => void acquire(task),
    look: holds.look,
    keepOut: holds.keepOut,
    isFull: slots.isFull,
    close: slots.close,
    onIdle: slots.onIdle,
  };
}

/** A directory of a network mount may not answer. */
const REALPATH_MS = 2_000;

/** The target with the real path of its compose_dir; null where that is the same, or where there is none. */
async function realTarget(signature: string, timer: Timer): Promise<string | null> {
  const target = targetOfSignature(signature);
  const { compose_dir } = target;
  if (compose_dir === undefined) return null;
  const real = await new Promise<string | null>((resolve) => {
    const cancel = timer(() => resolve(null), REALPATH_MS);
    void realpath(compose_dir)
      .catch(() => null)
      .then(resolve)
      .then(cancel);
  });
  return real === null || real === compose_dir ? null : targetSignature({ ...target, compose_dir: real });
}

// The slots: how many tasks run at once.

function createSlots({ concurrency, onWaiting, onPlaces }: TaskQueueDeps) {
  const queue = new PQueue({ concurrency });
  const isFull = (): boolean => queue.pending >= concurrency;
  let isClosed = false;
  const report = (): void => onPlaces?.(!isClosed && !isFull());
  return {
    /** Runs it in its turn, once there is a free slot. */
    take: (task: TaskRef, run: () => Promise<void>): void => {
      if (isFull()) void onWaiting?.(task);
      void queue.add(run).then(report);
      report();
    },
    isFull,
    close: (): void => {
      isClosed = true;
      report();
    },
    onIdle: () => queue.onIdle(),
  };
}
