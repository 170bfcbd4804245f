// Decides whose turn it is: one task at a time per target (D-012), here and on the other servers (D-314), and a bounded number at once.
// The queue of a target has the order in which tasks came, and gives way to an older task of another server (D-402).
import { realpath } from "node:fs/promises";
import PQueue from "p-queue";
import { exclusiveTarget, targetOfSignature, targetSignature } from "../../domain/contract.ts";
import type { Task } from "../../domain/task.ts";
import type { Servers, Store, Timer } from "../../ports.ts";
import type { HoldBack } from "./hold-back.ts";
import { UNFINISHED } from "./recovery.ts";

export type TaskRef = Pick<
  Task,
  "task_id" | "contract" | "intent" | "target_signature" | "backend" | "runs_on" | "needs_level"
>;

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

// Says which task has each target. On this server: its tasks in the order in which they came. On all servers: the rows as of the last
// look (D-314), the tasks that this server has set aside because a task of another server has their target (D-333), and when it gives
// way to an older task of another server (D-402).

type Targeting = Pick<Task, "task_id" | "intent" | "target_signature">;
type Paused = Targeting & Pick<Task, "status">;

export type TargetLocks = {
  /**
   * Resolves when the task holds the target. A task that holds it keeps it, and one that waits for it keeps its place. `goes_first`: the
   * database says that the task has the target, so every other task here waits for it.
   */
  readonly acquire: (signature: string, task_id: string, goes_first?: boolean) => Promise<void>;
  readonly release: (signature: string, task_id: string) => void;
  readonly holderOf: (signature: string) => string | null;
};

type Entry = { readonly signature: string; readonly task_id: string; readonly admit: () => void };

/** The targets on this server. A holder may acquire its target again. For a single lock there is domain/mutex.ts. */
export function createTargetLocks(): TargetLocks {
  /** The queues of all targets, in order of arrival. The first entry of a target holds it. */
  // Stryker disable next-line ArrayDeclaration: an entry of no target is never found
  let entries: readonly Entry[] = [];
  const first = (signature: string) => entries.find((entry) => entry.signature === signature);
  const holderOf: TargetLocks["holderOf"] = (signature) => first(signature)?.task_id ?? null;

  return {
    acquire: (signature, task_id, goes_first = false) =>
      new Promise((admit) => {
        const holder = holderOf(signature);
        if (holder === task_id) return admit();
        const before = entries.find((entry) => entry.signature === signature && entry.task_id === task_id);
        const admitAll = () => {
          before?.admit();
          admit();
        };
        const entry = { signature, task_id, admit: before === undefined ? admit : admitAll };
        if (goes_first) entries = [entry, ...entries.filter((one) => one !== before)];
        else entries = before === undefined ? [...entries, entry] : entries.with(entries.indexOf(before), entry);
        if (goes_first || holder === null) entry.admit();
      }),
    release: (signature, task_id) => {
      entries = entries.filter((entry) => entry.signature !== signature || entry.task_id !== task_id);
      // A task that holds the target already is admitted without effect.
      first(signature)?.admit();
    },
    holderOf,
  };
}

type TargetHolds = {
  readonly look: () => Promise<void>;
  /** Whether another task has the target, so that to claim this one would be refused. */
  readonly keepOut: (task: Targeting) => boolean;
  /** Whether the task has its target. */
  readonly isHolder: (task: Targeting) => boolean;
  /** What the task had is free, until a look says otherwise. False where it had none. */
  readonly free: (task_id: string) => boolean;
  /** Gives a task its target that was paused in the middle by a version without rows. */
  readonly ensure: (task: Paused) => Promise<void>;
  readonly holderOf: TargetLocks["holderOf"];
};

type HoldsDeps = {
  readonly store: Pick<Store, "commit" | "listHolds">;
  readonly servers: Pick<Servers, "are_many">;
  readonly locks: Pick<TargetLocks, "holderOf">;
};

/** The targets on all servers. The only server of a database has them in memory. */
export function createTargetHolds({ store, servers, locks }: HoldsDeps): TargetHolds {
  let holders = new Map<string, string>();
  /** Those that have given their target back since a look has begun: it may have read their row before. */
  const freed = new Set<string>();
  let looking = 0;

  async function look(): Promise<void> {
    looking += 1;
    try {
      const found = (await store.listHolds()).filter(({ task_id }) => !freed.has(task_id));
      holders = new Map(found.map((one) => [one.target_signature, one.task_id]));
    } finally {
      looking -= 1;
      if (looking === 0) freed.clear();
    }
  }

  const holderFor = (task: Targeting): string | undefined => {
    const target = exclusiveTarget(task);
    return target === null ? undefined : holders.get(target);
  };

  return {
    look: async () => {
      if (servers.are_many) await look();
    },
    free: (task_id) => {
      if (looking > 0) freed.add(task_id);
      const had = [...holders].filter(([, holder]) => holder === task_id);
      for (const [target] of had) holders.delete(target);
      return had.length > 0;
    },
    keepOut: (task) => {
      const holder = holderFor(task);
      return holder !== undefined && holder !== task.task_id;
    },
    isHolder: (task) => holderFor(task) === task.task_id,
    ensure: async (task) => {
      const { task_id, status } = task;
      const target_signature = exclusiveTarget(task);
      if (!servers.are_many || target_signature === null || holders.get(target_signature) === task_id) return;
      // It may have ended since it was read: then nothing would free its target.
      const paused = { on: "task", task_id, expect: { status: [status] }, set: {} } as const;
      const held = { on: "target_held", target_signature, task_id } as const;
      await store.commit({ thread_id: task_id, after: "last", events: [], changes: [paused, held] });
    },
    holderOf: (signature) => holders.get(signature) ?? locks.holderOf(signature),
  };
}

type SetAsideDeps = {
  readonly holds: Pick<TargetHolds, "look" | "keepOut" | "free">;
  /** Rejects while the database does not work: then a look finds the task. */
  readonly retry: (task: Targeting) => Promise<void>;
  /** What the task has here is for the next one. */
  readonly release: (task: Targeting) => void;
};

/**
 * A task that was set aside is tried again once the one that has its target has reported; the other servers leave it to this one, until a
 * look at everything. Here it keeps its place before those that came later.
 */
export function createSetAside({ holds, retry, release }: SetAsideDeps) {
  const waiting = new Map<string, Targeting>();
  async function retryFree(): Promise<void> {
    for (const task of [...waiting.values()]) {
      if (holds.keepOut(task) || !waiting.delete(task.task_id)) continue;
      await retry(task).catch(() => undefined);
    }
  }
  return {
    add: (task: Targeting): void => {
      waiting.set(task.task_id, task);
      // The one that has the target is not known yet, or has just ended.
      if (!holds.keepOut(task)) void holds.look().then(retryFree, () => undefined);
    },
    has: (task_id: string): boolean => waiting.has(task_id),
    /** The task has ended or paused: what it had is free, until a look says otherwise. */
    free: (task_id: string): void => {
      const task = waiting.get(task_id);
      waiting.delete(task_id);
      if (task !== undefined) release(task);
      if (holds.free(task_id)) void retryFree();
    },
    /** After a look at which task has each target: an end may have been missed. */
    retryFree,
  };
}

/** Another server hears of the end, reads the task and claims it within one of them, and one that has missed it finds it with its own look. */
const LOOKS = 60;
const LOOK_MS = 100;
const IN_VAIN_MS = 60_000;
const MOST_LOOKED_AT = 20;

type GiveWayDeps = {
  readonly store: Pick<Store, "listTaskColumns">;
  readonly servers: Pick<Servers, "are_many">;
  readonly holdBack: Pick<HoldBack, "keeps">;
  readonly timer: Timer;
  /** Whether the task waits on this server. */
  readonly isHere: (task_id: string) => boolean;
};

/**
 * The server whose task has ended would claim its own next task of the target before any other one hears of the end. It gives way to an
 * older task of another server until that is claimed, for some looks, and then claims in any case. Where nothing came of it, it gives way
 * on that target to none for a while: an older task that no server can claim holds nothing up for long.
 */
export function createGiveWay({ store, servers, holdBack, timer, isHere }: GiveWayDeps) {
  const in_vain = new Set<string>();

  /** `is_claimed`: one of them is, this one or another. */
  async function look({ task_id, target_signature }: Targeting) {
    const unfinished = await store.listTaskColumns({ status: UNFINISHED, target_signature, limit: MOST_LOOKED_AT });
    const tasks = unfinished.filter((task) => exclusiveTarget(task) !== null);
    const place = tasks.findIndex((one) => one.task_id === task_id);
    const older = place < 0 ? tasks : tasks.slice(0, place);
    return {
      // What a server had claimed before goes on with its target.
      is_own: (tasks[place]?.owner ?? null) !== null,
      is_claimed: tasks.some(({ owner }) => owner !== null),
      is_after: older.some((one) => one.owner === null && !isHere(one.task_id) && !holdBack.keeps(one)),
    };
  }

  async function give(task: Targeting): Promise<void> {
    const { is_own, is_after } = await look(task);
    if (is_own || !is_after) return;
    for (let looks = 0; looks < LOOKS; looks += 1) {
      await new Promise<void>((resolve) => timer(resolve, LOOK_MS));
      const { is_claimed, is_after } = await look(task);
      if (is_claimed || !is_after) return;
    }
    in_vain.add(task.target_signature);
    timer(() => in_vain.delete(task.target_signature), IN_VAIN_MS);
  }

  /** Resolves when the task, whose turn it is on this server, is to be claimed. Never rejects. */
  return async (task: Targeting): Promise<void> => {
    if (!servers.are_many || exclusiveTarget(task) === null || in_vain.has(task.target_signature)) return;
    // While the database does not work, the claim says so.
    await give(task).catch(() => undefined);
  };
}
