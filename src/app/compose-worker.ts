// What runs tasks: who may have a target, what goes on where, what is looked for again, and what follows an end.
import type { Config } from "../config/config.ts";
import { neededHere } from "../domain/labels.ts";
import type { Task } from "../domain/task.ts";
import { isOfFreeze, subjectOfThread } from "../domain/thread-id.ts";
import { expire } from "../operations/decide.ts";
import { submitOwn } from "../operations/submit-task.ts";
import type { Store } from "../ports.ts";
import type { Database } from "../store/database.ts";
import { LEASE_MS } from "../store/peers.ts";
import { expiryClock } from "../tasks/expiry-clock.ts";
import type { Wakeups } from "../wakeups/port.ts";
import { createDemotions } from "../worker/demotions.ts";
import { createDispatcher, type Dispatcher } from "../worker/dispatcher.ts";
import { createExpiry } from "../worker/expiry.ts";
import type { Freezes } from "../worker/freezes.ts";
import { createHoldBack, releaseHeld } from "../worker/hold-back.ts";
import { createNoServerLook } from "../worker/no-server.ts";
import { createPromotions, type Promotions, promoteCandidates } from "../worker/promotions.ts";
import { createReconciler } from "../worker/reconcile.ts";
import { createTargetHolds, createTargetLocks } from "../worker/task-queue.ts";
import { createVerifications } from "../worker/verifications.ts";
import { createVersionChanges, type VersionChanges } from "../worker/version-changes.ts";
import { createWake } from "../worker/wake.ts";
import type { composeGraphs } from "./compose-graphs.ts";

const HOUR_MS = 3_600_000;

const now = () => performance.now();

type WorkerParts = Omit<
  Parameters<typeof createDispatcher>[0] &
    Parameters<typeof createPromotions>[0] &
    Parameters<typeof createDemotions>[0] &
    Parameters<typeof createExpiry>[0],
  | "graph"
  | "locks"
  | "holds"
  | "servers"
  | "lease_ms"
  | "ping"
  | "holdBack"
  | "onFinished"
  | "onPaused"
  | "expire"
  | "now"
  | "promotions"
  | keyof OfConfig
> &
  Pick<Parameters<typeof submitOwn>[0], "skillOf" | "default_backend" | "target_labels"> & {
    readonly freezes: Freezes;
    readonly graphs: Pick<ReturnType<typeof composeGraphs>, "sop" | "promotion">;
    readonly wakeups: Parameters<typeof shareTasks>[0]["wakeups"];
  };

type OfConfig = ReturnType<typeof workerSettings>;
const workerSettings = ({ concurrency, sop_demotion: mode, approval_ttl_hours }: Config) => ({
  concurrency,
  mode,
  approval_ttl_ms: approval_ttl_hours * HOUR_MS,
});

export type Worker = ReturnType<typeof composeWorker>;

export function composeWorker(config: Config, database: Database, { graphs, ...given }: WorkerParts) {
  const { servers, heartbeat } = database;
  const parts = { ...given, ...workerSettings(config) };
  const locks = createTargetLocks();
  const holds = createTargetHolds({ ...given, servers, locks });
  const onPaused = () => void expiry.arm();
  const versions = createVersionChanges({ ...parts, promotions: () => promotions, dispatcher: () => dispatcher });
  const promotions = createPromotions({
    ...parts,
    servers,
    graph: graphs.promotion,
    onPaused,
    now,
    onSettled: versions.note,
    ...(servers.are_many && { onLeft: (thread_id) => given.wakeups.send("take_up", thread_id) }),
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
    onFinished: (ended) => {
      promoteCandidates(promotions, ended);
      if (ended.sop_changes.length > 0) versions.note();
      verifications.onFinished(ended);
    },
    onPaused,
    ...(servers.are_many && shareTasks(parts, { dispatcher: () => dispatcher, promotions })),
  });
  const expiry = createExpiry({
    ...parts,
    clock: expiryClock({ ...parts, servers }),
    expire: (approval) => expire({ ...parts, dispatcher, promotions }, approval),
  });
  const verifications = createVerifications({
    ...parts,
    submit: (contract) => submitOwn({ ...parts, dispatcher }, contract),
  });
  const demotions = createDemotions({ ...parts, promotions });
  const reconcile = () => parts.freezes.look().then(dispatcher.reconcile);
  const reconciler = reconcilerOf(parts, { reconcile, promotions, versions, are_many: servers.are_many });
  const wake = createWake({ ...parts, look: reconcile });
  /** Only what has been frozen or thawed, or anything unknown, may be news of every task (D-333). */
  const reportedElsewhere = (thread_id: string | null): void => {
    if (thread_id === null || isOfFreeze(thread_id)) wake.wake();
    else dispatcher.reported(thread_id);
  };
  const release = () => releaseHeld({ ...parts, reclaim: dispatcher.reclaim });
  return {
    locks: holds,
    promotions,
    versions,
    demotions,
    dispatcher,
    expiry,
    verifications,
    reconciler,
    wake,
    release,
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
  parts: Parameters<typeof createNoServerLook>[0] & Pick<Parameters<typeof createReconciler>[0], "timer">,
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
  { reconciler, wake, expiry, verifications, dispatcher, versions, promotions }: Worker,
  drain_ms: number,
): Promise<void> {
  // First: other servers can then claim the waiting tasks of this server at once.
  const left = dispatcher.drain(drain_ms);
  reconciler.stop();
  wake.stop();
  expiry.stop();
  await verifications.stop();
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
  readonly dispatcher: () => Pick<Dispatcher, "reclaim" | "isLeaving">;
  readonly promotions: Pick<Promotions, "reconcile">;
};

function shareTasks({ wakeups, store }: Sharing, { dispatcher, promotions }: Workers) {
  const work = wakeups.work("take_up", async (thread_id) => {
    const { reclaim, isLeaving } = dispatcher();
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
  return {
    onWaiting: ({ task_id, ...place }: Pick<Task, "task_id" | "backend" | "runs_on">) =>
      wakeups.send("take_up", task_id, { labels: neededHere(place) ?? [] }),
    onPlaces: (is_free: boolean) => (is_free ? work.resume() : work.pause()),
  };
}
