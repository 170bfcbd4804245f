// Polls every few seconds, and soon after an announcement (D-315): claims unfinished tasks that this process does not hold, and begins the
// promotion of candidates without a question (D-222). A commit whose response was lost leaves such records. Reports tasks for which no
// server has the labels (D-323).

import { labelsWithoutServer, neededHere } from "../../domain/contract.ts";
import { isOfHold, type TaskHolds } from "../../domain/hold.ts";
import type { Task, TaskColumns } from "../../domain/task.ts";
import { subjectOfThread } from "../../domain/thread-id.ts";
import type { Clock, Store, Timer } from "../../ports.ts";
import type { Wakeups, WakeupWork } from "../../wakeups/port.ts";
import { projection } from "../tasks/projection.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { releaseHeld } from "./hold-back.ts";
import type { Promotions, VersionChanges } from "./promotions.ts";
import { everyPage, UNFINISHED } from "./recovery.ts";

type Deps = {
  /** Each looks once and dispatches what it finds. */
  readonly looks: readonly (() => Promise<void>)[];
  readonly timer: Timer;
  /** In milliseconds, on a clock that is never set. */
  readonly now: () => number;
  readonly log: { error(details: object, message: string): void };
};

type Reconciler = { readonly start: () => void; readonly stop: () => void };

const TICK_MS = 2_500;
/** A long look is followed by a longer pause, so that thousands of queued tasks cost a twentieth of the time. */
const PAUSE_PER_LOOK = 20;
/** A look that waited for a database may have taken long. What a lost server has left is claimed within its lease and this. */
const LONGEST_PAUSE_MS = 5_000;

export function createReconciler({ looks, timer, now, log }: Deps): Reconciler {
  let unset: () => void = () => undefined;
  let stopped = false;
  let turn = 0;

  const tick = async (): Promise<void> => {
    const began = now();
    const look = looks[turn++ % looks.length];
    await look?.().catch((error: unknown) =>
      log.error({ err: error }, "unfinished work was not looked for; trying again"),
    );
    wait(Math.min(Math.max(TICK_MS, (now() - began) * PAUSE_PER_LOOK), LONGEST_PAUSE_MS));
  };
  const wait = (ms: number): void => {
    if (!stopped) unset = timer(() => void tick(), ms);
  };

  return {
    start: () => wait(TICK_MS),
    stop: () => {
      stopped = true;
      unset();
    },
  };
}

// Looks soon after something was announced, and once for all that is announced within a moment (D-315).

type WakeDeps = {
  readonly look: () => Promise<void>;
  readonly timer: Timer;
  readonly log: { error(details: object, message: string): void };
};

const MOMENT_MS = 100;

function createWake({ look, timer, log }: WakeDeps): { readonly wake: () => void; readonly stop: () => void } {
  let unset: (() => void) | null = null;
  let isLooking = false;
  let again = false;
  let stopped = false;

  const now = async (): Promise<void> => {
    unset = null;
    isLooking = true;
    again = false;
    await look().catch((err: unknown) =>
      log.error({ err }, "a look after an announcement failed; the next one is regular"),
    );
    isLooking = false;
    if (again) wake();
  };
  const wake = (): void => {
    if (stopped) return;
    if (isLooking) again = true;
    else unset ??= timer(() => void now(), MOMENT_MS);
  };

  return {
    wake,
    stop: () => {
      stopped = true;
      unset?.();
    },
  };
}

// What a server looks for: at set times, after an announcement, and when nothing holds a task any more.

type Looking = {
  readonly store: Store;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly task_holds: TaskHolds;
  readonly are_many: boolean;
  readonly dispatcher: Dispatcher;
  readonly promotions: Promotions;
  readonly versions: VersionChanges;
  readonly log: Deps["log"];
};

type Looks = {
  readonly start: () => void;
  readonly stop: () => void;
  /** Dispatches what was held. */
  readonly release: () => void;
  /** Another server has reported on a thread; null when that may be any. */
  readonly reportedElsewhere: (thread_id: string | null) => void;
};

export function createLooks(looking: Looking): Looks {
  const { store, clock, timer, task_holds, are_many, dispatcher, promotions, versions, log } = looking;
  const reconcile = () => task_holds.look().then(dispatcher.reconcile);
  // The tasks of a lost server wait for its lease to end and for one search. So with several servers, each search includes tasks.
  const also = (look: () => Promise<void>) => (are_many ? () => reconcile().then(look) : look);
  const lookForServers = createNoServerLook({ store, clock, log });
  const forServersAndVersions = () => lookForServers().then(versions.continueTasks);
  const looks = [reconcile, also(promotions.reconcile), reconcile, also(forServersAndVersions)];
  const regular = createReconciler({ looks, timer, now: () => performance.now(), log });
  const announced = createWake({ look: reconcile, timer, log });
  return {
    start: regular.start,
    stop: () => {
      regular.stop();
      announced.stop();
    },
    release: () =>
      void releaseHeld({ store, task_holds, reclaim: dispatcher.reclaim }).catch((err: unknown) =>
        log.error({ err }, "what was held is looked for again in a few seconds"),
      ),
    // Only what has been frozen or thawed, or anything unknown, may be news of every task (D-333).
    reportedElsewhere: (thread_id) => {
      if (thread_id === null || isOfHold(thread_id)) announced.wake();
      else dispatcher.reported(thread_id);
    },
  };
}

// A task that waits for a place here is taken up by a server that has one (D-317). Each looks at the task itself before it claims it. The
// promotions that a server leaves at its end are looked for in the same way (D-332).

export const passOnBy =
  ({ send }: Pick<Wakeups, "send">) =>
  ({ task_id, ...place }: Pick<Task, "task_id" | "backend" | "runs_on">): Promise<void> =>
    send(task_id, { labels: neededHere(place) ?? [] });

type Taking = {
  readonly wakeups: Pick<Wakeups, "work">;
  readonly store: Pick<Store, "findTask">;
  readonly dispatcher: Pick<Dispatcher, "reclaim" | "isLeaving">;
  readonly promotions: Pick<Promotions, "reconcile">;
};

/** It may be paused while no place is free here. */
export const takeUpPassedOn = ({ wakeups, store, dispatcher, promotions }: Taking): WakeupWork =>
  wakeups.work(async (thread_id) => {
    const { reclaim, isLeaving } = dispatcher;
    // Another server hears of it then.
    if (isLeaving()) return "again";
    if (subjectOfThread(thread_id).kind === "promotion") {
      await promotions.reconcile();
      return "done";
    }
    const task = await store.findTask(thread_id);
    if (task !== null) await reclaim(task);
    return "done";
  });

// Says to the supervisor that a task waits for a server, and that there is none with its labels (D-323): once, in the journal of the task,
// when that has been so for ten minutes. A server that starts again in this time is no news.

type NoServerDeps = {
  readonly store: Pick<Store, "commit" | "readJournal" | "listTaskColumns" | "listServers" | "findTask">;
  readonly clock: Clock;
  readonly log: { error(details: object, message: string): void };
};

const PATIENCE_MS = 600_000;

/** Looks once, as often as it is called. */
export function createNoServerLook(deps: NoServerDeps): () => Promise<void> {
  const { store, clock, log } = deps;
  /** Since when this server has seen that there is none for the task. Null: that is in its journal. */
  const since = new Map<string, number | null>();

  return async () => {
    const tasks = await everyPage(
      (page) => store.listTaskColumns({ ...page, status: UNFINISHED, labelled: true }),
      idOf,
    );
    const live = tasks.length === 0 ? [] : await store.listServers();
    const now = clock().getTime();
    const waiting = tasks.flatMap((task) => {
      const missing = labelsWithoutServer(live, task);
      return missing === null ? [] : [{ ...task, missing }];
    });
    const ids = new Set(waiting.map(idOf));
    for (const task_id of since.keys()) if (!ids.has(task_id)) since.delete(task_id);
    for (const task of waiting) {
      const { task_id } = task;
      const seen = since.get(task_id);
      if (seen === undefined) since.set(task_id, now);
      if (seen == null || now - seen < PATIENCE_MS) continue;
      const isSaid = await say(deps, task).catch((error: unknown) => {
        log.error({ task_id, err: error }, "it could not be said that no server has the labels of a task");
        return false;
      });
      // What did not succeed is tried again only after as long: it may never.
      since.set(task_id, isSaid ? null : now);
    }
  };
}

const idOf = ({ task_id }: Pick<Task, "task_id">): string => task_id;

/** False where the task has moved since. It may run, and then there is nothing to say. */
async function say(
  { store }: NoServerDeps,
  task: TaskColumns & { readonly missing: readonly string[] },
): Promise<boolean> {
  const { task_id, missing } = task;
  const journal = await store.readJournal(task_id);
  if (projection(journal).is_without_server) return true;
  const row = await store.findTask(task_id);
  const runs_on = row === null ? null : neededHere(row);
  if (row?.status !== task.status || row.owner !== task.owner || runs_on === null) return false;
  const { ok } = await store.commit({
    thread_id: task_id,
    after: journal.at(-1) ?? null,
    events: [{ kind: "no_server", body: { runs_on: [...runs_on], missing: [...missing], message: sentence(missing) } }],
  });
  return ok;
}

const sentence = (missing: readonly string[]): string =>
  `The task waits for a server with ${missing.length === 1 ? "the label" : "all of the labels"} ${missing.join(", ")}, and for ten minutes there was none. It runs as soon as there is one.`;
