// What runs tasks: who may have a target, what goes on where, what is looked for again, and what follows an end.
import type { Config } from "../config/config.ts";
import type { TaskContract } from "../domain/contract.ts";
import { isOfHold, type TaskHolds } from "../domain/hold.ts";
import { neededHere } from "../domain/labels.ts";
import type { Quarantine } from "../domain/quarantine.ts";
import type { Task } from "../domain/task.ts";
import { subjectOfThread } from "../domain/thread-id.ts";
import { brokenPromises } from "../evidence/verify/promises.ts";
import type { Log } from "../log/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { expire } from "../operations/decide.ts";
import { type SubmitDeps, submitOwn } from "../operations/submit-task.ts";
import type { Clock, NewId, Store, Timer } from "../ports.ts";
import type { Database } from "../store/database.ts";
import { LEASE_MS } from "../store/peers.ts";
import { expiryClock } from "../tasks/approval-record.ts";
import type { Projection } from "../tasks/projection.ts";
import type { Wakeups } from "../wakeups/port.ts";
import { createDemotions } from "../worker/demotions.ts";
import { createDispatcher, type Dispatcher } from "../worker/dispatcher.ts";
import { createExpiry } from "../worker/expiry.ts";
import type { createFeed } from "../worker/feed.ts";
import { createHoldBack, releaseHeld } from "../worker/hold-back.ts";
import {
  createPromotions,
  createVersionChanges,
  type Promotions,
  promoteCandidates,
  type VersionChanges,
} from "../worker/promotions.ts";
import { createNoServerLook, createReconciler, createWake } from "../worker/reconcile.ts";
import type { Checkpoints } from "../worker/run-thread.ts";
import { createScoreKeeper, type ScoreKeeper } from "../worker/score-keeper.ts";
import { createTargetHolds, createTargetLocks } from "../worker/task-queue.ts";
import type { Threads } from "../worker/threads.ts";
import type { createGraphs } from "./graphs.ts";

const HOUR_MS = 3_600_000;

const now = () => performance.now();

type WorkerParts = {
  readonly store: Store;
  readonly threads: Threads;
  readonly checkpoints: Checkpoints;
  readonly graphs: Pick<ReturnType<typeof createGraphs>, "sop" | "promotion">;
  readonly owner: string;
  readonly clock: Clock;
  readonly new_id: NewId;
  readonly timer: Timer;
  readonly log: Log;
  readonly quarantine: Quarantine;
  /** Whether everything was ended that a server before had left running. */
  readonly cleared: () => boolean;
  readonly task_holds: TaskHolds;
  readonly wakeups: Sharing["wakeups"];
  /** Why the skill of the intent cannot be used; null where it can, and without a skill. */
  readonly skillFaultOf: (intent: string) => string | null;
  /** What this server has. */
  readonly labels: readonly string[];
} & Pick<SubmitDeps, "skillOf" | "default_backend" | "target_labels">;

const workerSettings = ({ concurrency, sop_demotion: mode, approval_ttl_hours }: Config) => ({
  concurrency,
  mode,
  approval_ttl_ms: approval_ttl_hours * HOUR_MS,
});

export type Worker = ReturnType<typeof createWorker>;

export function createWorker(config: Config, database: Database, { graphs, ...given }: WorkerParts) {
  const { servers, heartbeat } = database;
  const parts = { ...given, ...workerSettings(config) };
  const locks = createTargetLocks();
  const holds = createTargetHolds({ ...given, servers, locks });
  const paused = createListeners<void>();
  const settled = createListeners<void>();
  const finished = createListeners<Projection>();
  const places = createListeners<boolean>();
  const promotions = createPromotions({
    ...parts,
    servers,
    graph: graphs.promotion,
    onPaused: paused.inform,
    now,
    onSettled: settled.inform,
    ...(servers.are_many && { onLeft: (thread_id) => given.wakeups.send(thread_id) }),
  });
  const dispatcher = createDispatcher({
    ...parts,
    holdBack: createHoldBack(parts),
    locks,
    holds,
    servers,
    ping: heartbeat,
    graph: graphs.sop,
    lease_ms: LEASE_MS,
    onFinished: finished.inform,
    onPaused: paused.inform,
    ...(servers.are_many && { onWaiting: passOnBy(given.wakeups), onPlaces: places.inform }),
  });
  const versions = createVersionChanges({ ...parts, promotions, dispatcher });
  const expiry = createExpiry({
    ...parts,
    clock: expiryClock({ ...parts, servers }),
    expire: (approval) => expire({ ...parts, dispatcher, promotions }, approval),
  });
  const demotions = createDemotions({ ...parts, promotions });

  // These parts call one another, so each subscribes after all of them exist.
  paused.add(() => void expiry.arm());
  settled.add(versions.note);
  finished.add((ended) => {
    promoteCandidates(promotions, ended);
    if (ended.versions.changes.length > 0) versions.note();
  });
  if (servers.are_many) takeUpPassedOn(parts, { dispatcher, promotions, places });

  const reconcile = () => parts.task_holds.look().then(dispatcher.reconcile);
  const reconciler = reconcilerOf(parts, { reconcile, promotions, versions, are_many: servers.are_many });
  const wake = createWake({ ...parts, look: reconcile });
  /** Only what has been frozen or thawed, or anything unknown, may be news of every task (D-333). */
  const reportedElsewhere = (thread_id: string | null): void => {
    if (thread_id === null || isOfHold(thread_id)) wake.wake();
    else dispatcher.reported(thread_id);
  };
  /** Dispatches what was held. */
  const release = (): void =>
    void releaseHeld({ ...parts, reclaim: dispatcher.reclaim }).catch((err: unknown) =>
      parts.log.error({ err }, "what was held is looked for again in a few seconds"),
    );
  return {
    locks: holds,
    promotions,
    versions,
    demotions,
    dispatcher,
    expiry,
    reconciler,
    wake,
    release,
    /** The listener is called with each task that has ended. */
    onFinished: finished.add,
    /** Accepts a task of orch itself. False where another task has the id. */
    submitOwn: (contract: TaskContract): Promise<boolean> => submitOwn({ ...parts, dispatcher }, contract),
    reportedElsewhere,
  };
}

type Looking = {
  readonly reconcile: () => Promise<void>;
  readonly promotions: Pick<Promotions, "reconcile">;
  readonly versions: Pick<VersionChanges, "continueTasks">;
  readonly are_many: boolean;
};

function reconcilerOf(
  parts: Pick<WorkerParts, "store" | "clock" | "timer" | "log">,
  { reconcile, promotions, versions, are_many }: Looking,
) {
  // The tasks of a lost server wait for its lease to end and for one search. So with several servers, each search includes tasks.
  const also = (look: () => Promise<void>) => (are_many ? () => reconcile().then(look) : look);
  const lookForServers = createNoServerLook(parts);
  const forServersAndVersions = () => lookForServers().then(versions.continueTasks);
  const looks = [reconcile, also(promotions.reconcile), reconcile, also(forServersAndVersions)];
  return createReconciler({ ...parts, looks, now });
}

export async function stopWorker(
  { reconciler, wake, expiry, dispatcher, versions, promotions }: Worker,
  drain_ms: number,
): Promise<void> {
  // First: other servers can then claim the waiting tasks of this server at once.
  const left = dispatcher.drain(drain_ms);
  reconciler.stop();
  wake.stop();
  expiry.stop();
  await left;
  await versions.stop();
  await promotions.drain();
}

// A task that waits for a place here is taken up by a server that has one (D-317). Each looks at the task itself before it claims it. The
// promotions that a server leaves at its end are looked for in the same way (D-332).

type Sharing = {
  readonly wakeups: Pick<Wakeups, "send" | "work">;
  readonly store: Pick<Store, "findTask">;
};

type Workers = {
  readonly dispatcher: Pick<Dispatcher, "reclaim" | "isLeaving">;
  readonly promotions: Pick<Promotions, "reconcile">;
  /** Informs its listeners whether this server can take another task. */
  readonly places: Pick<Listeners<boolean>, "add">;
};

const passOnBy =
  ({ send }: Sharing["wakeups"]) =>
  ({ task_id, ...place }: Pick<Task, "task_id" | "backend" | "runs_on">): Promise<void> =>
    send(task_id, { labels: neededHere(place) ?? [] });

function takeUpPassedOn({ wakeups, store }: Sharing, { dispatcher, promotions, places }: Workers): void {
  const work = wakeups.work(async (thread_id) => {
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
  places.add((is_free) => (is_free ? work.resume() : work.pause()));
}

type Listeners<What> = {
  readonly add: (listener: (what: What) => void) => void;
  readonly inform: (what: What) => void;
};

function createListeners<What>(): Listeners<What> {
  const all: ((what: What) => void)[] = [];
  return {
    add: (listener) => void all.push(listener),
    inform: (what) => {
      for (const listener of all) listener(what);
    },
  };
}

type Parts = {
  readonly stored: Store;
  readonly are_many: boolean;
  readonly metrics: Pick<Metrics, "folded">;
  readonly feed: Pick<ReturnType<typeof createFeed>, "committed">;
  readonly demotions: Worker["demotions"];
  readonly wakeups: Pick<Wakeups, "every">;
  readonly timer: Timer;
  readonly log: Log;
};

/** Of what a server has not folded that has ended meanwhile. */
const FOLD_EVERY_MS = 60_000;

export function createScores({ stored, are_many, metrics, feed, demotions, wakeups, timer, log }: Parts): ScoreKeeper {
  // Apart from the commits of the server, which are counted here: only who shows the scorecard hears of these.
  const commit: Store["commit"] = async (kept) => {
    const result = await stored.commit(kept);
    if (result.ok) feed.committed(kept);
    return result;
  };
  const due = createListeners<void>();
  const scores = createScoreKeeper({
    store: { ...stored, commit },
    brokenIn: brokenPromises,
    onFolded: metrics.folded,
    onCaughtUp: demotions.look,
    ...(are_many && { onDue: due.inform }),
    timer,
    now: () => performance.now(),
    log,
  });
  if (are_many) {
    const duty = wakeups.every("scores", FOLD_EVERY_MS, scores.foldAll);
    due.add(() => void duty.wake());
  }
  return scores;
}
