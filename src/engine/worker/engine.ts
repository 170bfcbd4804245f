// Creates what runs tasks: who may have a target, what goes on where, what is looked for again, and what follows an end.
import type { Config } from "../../config/config.ts";
import type { TaskHolds } from "../../domain/hold.ts";
import { LEASE_MS } from "../../domain/server.ts";
import type { Servers, Skill } from "../../ports.ts";
import type { Means } from "../../process/system.ts";
import type { Wakeups } from "../../wakeups/port.ts";
import type { Projection } from "../tasks/projection.ts";
import { createDemotions } from "./demotions.ts";
import { createDispatcher } from "./dispatcher.ts";
import { createApprovalExpiry } from "./expiry.ts";
import { createHoldBack } from "./hold-back.ts";
import type { ObservedStore } from "./observe-commits.ts";
import { createPromotions, createVersionChanges, promoteCandidates } from "./promotions.ts";
import { createLooks, passOnBy, takeUpPassedOn } from "./reconcile.ts";
import { createServerScores } from "./score-keeper.ts";
import { createTargetHolds, createTargetLocks } from "./task-queue.ts";
import type { Checkpoints, Graph } from "./task-runs.ts";
import type { ServerThreads } from "./threads.ts";

const HOUR_MS = 3_600_000;

const now = () => performance.now();

type OwnDatabase = {
  readonly servers: Servers;
  /** Rejects while the database does not work. */
  readonly heartbeat: () => Promise<unknown>;
};

type EngineParts = {
  readonly means: Means;
  readonly observed: ObservedStore;
  readonly task_holds: TaskHolds;
  readonly threads: ServerThreads;
  readonly checkpoints: Checkpoints;
  readonly graphs: {
    readonly sop: Graph;
    readonly promotion: Graph;
  };
  readonly wakeups: Wakeups;
  readonly execution: {
    /** Whether everything was ended that a server before had left running. */
    readonly isCleared: () => boolean;
  };
  readonly skills: {
    /** Null when no skill handles the intent. */
    readonly skillOf: (intent: string) => Skill | null;
  };
  readonly place: {
    /** The labels of this server. */
    readonly labels: readonly string[];
  };
};

export type Engine = ReturnType<typeof createEngine>;

export function createEngine(config: Config, { servers, heartbeat }: OwnDatabase, parts: EngineParts) {
  const { task_holds, threads, checkpoints, graphs, wakeups, skills } = parts;
  const { clock, new_id, timer, log } = parts.means;
  const { store, unobserved, quarantine, commits, metrics, feed } = parts.observed;
  const { owner, are_many } = servers;
  const paused = createListeners<void>();
  const settled = createListeners<void>();
  const finished = createListeners<Projection>();
  const places = createListeners<boolean>();

  const promotions = createPromotions({
    store,
    threads,
    graph: graphs.promotion,
    checkpoints,
    servers,
    onPaused: paused.inform,
    onSettled: settled.inform,
    ...(are_many && { onLeft: (thread_id) => wakeups.send(thread_id) }),
    now,
    log,
  });
  const locks = createTargetLocks();
  const holdBack = createHoldBack({ store, task_holds, owner });
  const holds = createTargetHolds({ store, servers, locks });
  const dispatcher = createDispatcher({
    store,
    clock,
    timer,
    log,
    quarantine,
    owner,
    servers,
    labels: parts.place.labels,
    ping: heartbeat,
    lease_ms: LEASE_MS,
    concurrency: config.concurrency,
    threads,
    graph: graphs.sop,
    checkpoints,
    locks,
    holds,
    holdBack,
    cleared: parts.execution.isCleared,
    skillFaultOf: (intent) => skills.skillOf(intent)?.fault ?? null,
    onFinished: finished.inform,
    onPaused: paused.inform,
    ...(are_many && { onWaiting: passOnBy(wakeups), onPlaces: places.inform }),
  });
  const versions = createVersionChanges({ store, promotions, dispatcher, log });
  const expiry = createApprovalExpiry({ store, clock, servers, timer, dispatcher, promotions, log });
  const approval_ttl_ms = config.approval_ttl_hours * HOUR_MS;
  const mode = config.sop_demotion;
  const demotions = createDemotions({ store, clock, new_id, approval_ttl_ms, promotions, checkpoints, mode, log });
  const scores = createServerScores({ store: unobserved, are_many, metrics, feed, demotions, wakeups, timer, log });
  const looks = createLooks({ store, clock, timer, task_holds, are_many, dispatcher, promotions, versions, log });

  // These parts call one another, so each subscribes after all of them exist.
  paused.add(() => void expiry.arm());
  settled.add(versions.note);
  finished.add((ended) => {
    promoteCandidates(promotions, ended);
    if (ended.versions.changes.length > 0) versions.note();
  });
  if (are_many) {
    const work = takeUpPassedOn({ wakeups, store, dispatcher, promotions });
    places.add((is_free) => (is_free ? work.resume() : work.pause()));
    commits.subscribe({ isElsewhere: threads.isElsewhere });
  }
  commits.subscribe({ onCommitted: scores.note });
  commits.subscribe({ onCancel: (thread_id) => cancel(threads, thread_id, log) });
  commits.subscribe({ onReportElsewhere: looks.reportedElsewhere });
  task_holds.onEased(looks.release);

  const stop = async (drain_ms: number): Promise<void> => {
    scores.stop();
    // First: other servers can then claim the waiting tasks of this server at once.
    const left = dispatcher.drain(drain_ms);
    looks.stop();
    expiry.stop();
    await left;
    await versions.stop();
    await promotions.drain();
  };
  return {
    threads,
    /** Says which task has a target, on all servers. */
    locks: holds,
    dispatcher,
    promotions,
    expiry,
    scores,
    wakeups,
    task_holds,
    looks,
    /** The listener is called with each task that has ended. */
    onFinished: finished.add,
    stop,
  };
}

/** Null where it is not known which thread is to be cancelled. */
function cancel(threads: ServerThreads, thread_id: string | null, log: Means["log"]): void {
  if (thread_id !== null) {
    threads.cancel(thread_id);
    return;
  }
  void threads.findCancelled().catch((err: unknown) => {
    log.error({ err }, "requests to cancel were not looked for; a task hears with its next commit");
  });
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
