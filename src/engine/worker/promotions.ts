// Runs the promotion of every candidate: opens the thread, resumes it after a decision, and recovers it after a stop or an error. A
// promotion changes rows only, so replaying its thread is all the recovery that it needs. Continues what waits for a version in use.
import PQueue from "p-queue";
import { isOfUpdate, type Sop } from "../../domain/sop.ts";
import type { Task } from "../../domain/task.ts";
import { promotionThread } from "../../domain/thread-id.ts";
import type { Servers, Store } from "../../ports.ts";
import { activeSop } from "../tasks/active-sop.ts";
import { withdrawTeaching } from "../tasks/answer-pause.ts";
import type { Projection } from "../tasks/projection.ts";
import { isOutdated } from "../tasks/sop-versions.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { everyPage } from "./recovery.ts";
import { type Checkpoints, type Graph, runThread, type Start } from "./task-runs.ts";
import { isFenced, type Threads } from "./threads.ts";

type Deps = {
  readonly store: Store;
  readonly threads: Threads;
  readonly graph: Graph;
  readonly checkpoints: Checkpoints;
  readonly servers: Pick<Servers, "are_many">;
  /** Called after a promotion has paused: its approval may expire. */
  readonly onPaused: () => void;
  /** Called after a promotion has ended: another version may be in use. */
  readonly onSettled?: () => void;
  /** Called when this server stops, with one candidate that it leaves to the other servers. */
  readonly onLeft?: (thread_id: string) => Promise<void>;
  /** In milliseconds, on a clock that is never set. */
  readonly now: () => number;
  readonly log: { error(details: object, message: string): void };
};

const AT_ONCE = 4;
// Without a last attempt: a promotion that was given up would be lost (D-235).
const FIRST_PAUSE_MS = 2_500;
const LONGEST_PAUSE_MS = 300_000;

export type Promotions = {
  readonly dispatch: (sop_id: string, start: Start) => void;
  /** Recovers every candidate that neither waits for a decision nor is worked on: at start, and later every few seconds (D-222). */
  readonly reconcile: () => Promise<void>;
  readonly drain: () => Promise<void>;
};

export function createPromotions(deps: Deps): Promotions {
  const { store, threads, now, log } = deps;
  // A slow database query for one candidate must not delay the decision on another.
  const queue = new PQueue({ concurrency: AT_ONCE });
  const last = new Map<string, Promise<void>>();
  const backoff = createBackoff({ now, first_ms: FIRST_PAUSE_MS, longest_ms: LONGEST_PAUSE_MS });

  const dispatch = (sop_id: string, start: Start): void => {
    const before = last.get(sop_id);
    const done = queue.add(async () => {
      await before;
      await run(sop_id, start).then(
        () => backoff.succeed(sop_id),
        (err: unknown) => {
          if (isFenced(err)) return;
          const details = { sop_id, ...backoff.fail(sop_id), err };
          log.error(details, "an error ended a promotion; orch recovers it from its journal");
        },
      );
    });
    last.set(sop_id, done);
    void done.then(() => {
      if (last.get(sop_id) === done) last.delete(sop_id);
    });
  };

  const isIdle = ({ sop_id }: Sop): boolean => !last.has(sop_id) && backoff.isDue(sop_id);

  async function run(sop_id: string, given: Start): Promise<void> {
    // A promotion has no owner: another server that recovers this one deletes its checkpoint, without which nothing can be resumed.
    const start: Start = given.kind === "resume" && deps.servers.are_many ? { kind: "recover" } : given;
    const thread_id = start.kind === "new" ? promotionThread(sop_id) : await openThread(store, sop_id);
    if (thread_id === null) return;
    try {
      const thread = start.kind === "new" ? threads.open(thread_id, start.events) : await threads.threadOf(thread_id);
      const input = { sop_id, thread_id };
      const result = await runThread({ ...deps, thread, thread_id, task_id: null, input, start });
      if (result === "paused") deps.onPaused();
      // A stopping server leaves this promotion to other servers. A new search would start it here again.
      else if (!thread.draining()) deps.onSettled?.();
    } finally {
      threads.close(thread_id);
    }
  }

  /** Finds the candidates that neither wait for a decision nor are worked on. */
  async function leftOver(): Promise<Sop[]> {
    const found = await everyPage(
      (page) => store.listSops({ ...page, status: "candidate" }),
      ({ sop_id }) => sop_id,
    );
    const candidates = found.filter((sop) => isPromoted(sop) && isIdle(sop));
    if (candidates.length === 0) return [];
    const asked = await waitingIn(store);
    return candidates.filter((sop) => !asked.has(threadOf(sop)));
  }

  /** Names only one candidate: the search of another server finds all of them. */
  async function passOn(onLeft: NonNullable<Deps["onLeft"]>): Promise<void> {
    const [first] = await leftOver();
    if (first !== undefined) await onLeft(threadOf(first));
  }

  const reconcile = async (): Promise<void> => {
    for (const { sop_id } of await leftOver()) dispatch(sop_id, { kind: "recover" });
  };

  async function drain(): Promise<void> {
    await queue.onIdle();
    const { onLeft } = deps;
    if (onLeft !== undefined)
      await passOn(onLeft).catch((err: unknown) =>
        log.error({ err }, "could not hand over promotions; the other servers find them later"),
      );
  }

  return { dispatch, reconcile, drain };
}

/** Null where nothing is left to do: a run before this one may have asked, or settled the candidate. */
async function openThread(store: Store, sop_id: string): Promise<string | null> {
  const sop = await store.findSop(sop_id);
  if (sop === null || !isPromoted(sop)) return null;
  const thread_id = threadOf(sop);
  return (await waitingIn(store, thread_id)).has(thread_id) ? null : thread_id;
}

/**
 * The threads that wait for a decision: a question can be answered once it has the id of its interrupt. One that names another
 * version than that in use has to be asked again.
 */
async function waitingIn(store: Store, thread_id?: string): Promise<Set<string>> {
  const pending = await everyPage(
    (page) => store.listApprovals({ ...page, thread_id, status: "pending" }),
    ({ approval_id }) => approval_id,
  );
  const waiting = new Set<string>();
  for (const approval of pending)
    if (approval.interrupt_id !== null && !(await isOutdated(store, approval))) waiting.add(approval.thread_id);
  return waiting;
}

/** The task of an update_sop settles its candidate itself. */
const isPromoted = (sop: Sop): boolean => sop.status === "candidate" && !isOfUpdate(sop);

const threadOf = ({ sop_id, promotion_round }: Sop): string => promotionThread(sop_id, promotion_round);

/** Starts the promotion of a candidate from a taught task or from an agent. A replacement task settles its candidate itself. */
export function promoteCandidates(promotions: Pick<Promotions, "dispatch">, ended: Projection): void {
  if (!ended.is_taught && ended.agent.finished === null) return;
  for (const { sop_id, status } of ended.versions.changes) {
    if (status === "candidate") promotions.dispatch(sop_id, { kind: "new", events: [] });
  }
}

type Limits = {
  /** In milliseconds, on a clock that is never set. */
  readonly now: () => number;
  readonly first_ms: number;
  readonly longest_ms: number;
};

export function createBackoff({ now, first_ms, longest_ms }: Limits) {
  const failed = new Map<string, { readonly failures: number; readonly until: number }>();
  return {
    /** How often it has failed in a row, and the pause that follows. */
    fail: (id: string): { readonly failures: number; readonly pause_ms: number } => {
      const failures = (failed.get(id)?.failures ?? 0) + 1;
      const pause_ms = Math.min(first_ms * 2 ** (failures - 1), longest_ms);
      failed.set(id, { failures, until: now() + pause_ms });
      return { failures, pause_ms };
    },
    succeed: (id: string): void => void failed.delete(id),
    isDue: (id: string): boolean => (failed.get(id)?.until ?? 0) <= now(),
  };
}

// Continues what depends on the version in use, after it has changed: candidates that name another one, and tasks that wait to be
// taught a procedure that is known by now.

type VersionChangesDeps = {
  readonly store: Pick<Store, "listTasks" | "findActiveSop" | "listSops" | "listApprovals" | "commit">;
  readonly promotions: Pick<Promotions, "reconcile">;
  readonly dispatcher: Pick<Dispatcher, "dispatch">;
  readonly log: { error(details: object, message: string): void };
};

export type VersionChanges = {
  /** Called after a version may have come into use, or gone out of it. */
  readonly note: () => void;
  /** Continues the tasks that wait to be taught a procedure that is in use. May be repeated at any time. */
  readonly continueTasks: () => Promise<void>;
  /** Starts no further search. Resolves when the current search has ended, because that one may start a promotion. */
  readonly stop: () => Promise<void>;
};

export function createVersionChanges(deps: VersionChangesDeps): VersionChanges {
  const { log } = deps;
  const continueTasks = () => continueKnown(deps);
  const failed = (err: unknown): void => {
    if (!isFenced(err))
      log.error({ err }, "could not search for candidates and for tasks that wait for a version; retrying");
  };
  const search = (): Promise<void> => deps.promotions.reconcile().then(continueTasks).catch(failed);
  let searching = Promise.resolve();
  let isStopped = false;
  return {
    continueTasks,
    note: () => {
      if (!isStopped) searching = searching.then(search);
    },
    stop: () => {
      isStopped = true;
      return searching;
    },
  };
}

async function continueKnown({ store, dispatcher }: VersionChangesDeps): Promise<void> {
  const waiting = await everyPage(
    (page) => store.listTasks({ ...page, status: "need_input", waits_for: "teaching" }),
    ({ task_id }) => task_id,
  );
  for (const tasks of Map.groupBy(waiting, keyOf).values()) {
    const [one] = tasks;
    const known = one === undefined ? null : await activeSop(store, one);
    if (known === null || "reason_code" in known) continue;
    for (const task of tasks) {
      const { ok } = await store.commit({ thread_id: task.task_id, after: "last", ...withdrawTeaching(task) });
      // Otherwise it was just taught, or cancelled.
      if (ok) dispatcher.dispatch(task, { kind: "recover" });
    }
  }
}

const keyOf = ({ intent, target_signature }: Task): string => `${intent}|${target_signature}`;
