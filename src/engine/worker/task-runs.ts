// Runs the tasks that this server holds: each waits for its turn, runs through its graph under a lease to its end or its next question, is
// recovered after an error, and is left to the others when the server drains. A dispatch may be repeated.

import { Command, INTERRUPT, type Interrupt, isInterrupted } from "@langchain/langgraph";
import { z } from "zod";
import { exclusiveTarget } from "../../domain/contract.ts";
import { isNewer, isQuarantined, OrchError } from "../../domain/errors.ts";
import type { JournalEvent } from "../../domain/journal.ts";
import { isPaused, Outcome } from "../../domain/outcome.ts";
import { Waiting } from "../../domain/task.ts";
import type { Clock, Store, Timer } from "../../ports.ts";
import { hasStarted, stepInFlight, type WhyParked, whyParked } from "../tasks/progress.ts";
import { isProgress, type Projection } from "../tasks/projection.ts";
import type { Thread } from "../tasks/thread.ts";
import { claim, pause, release, type Transition } from "../tasks/transitions.ts";
import { type GivenUp, giveUp, isAskedByWorker, park, settleLostTail } from "./give-up.ts";
import type { HoldBack } from "./hold-back.ts";
import type { TaskQueue, TaskRef } from "./task-queue.ts";
import { isFenced, type Threads } from "./threads.ts";

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

// Runs a thread through its graph, to its end or its next question, which is recorded; a task's thread under a lease.

/** What is asked of a compiled graph. */
export type Graph = {
  invoke(
    input: object,
    config: { configurable: { thread_id: string }; durability: "exit"; recursionLimit: number },
  ): Promise<unknown>;
};

/** What is asked of the checkpoint saver beyond saving. */
export type Checkpoints = {
  deleteThread(thread_id: string): Promise<void>;
  /** Keeps the newest. False where there is none that this version has written. */
  prune(thread_id: string): Promise<boolean>;
  /** Deletes the checkpoints of every thread that has ended. */
  sweep(): Promise<void>;
};

/**
 * How a thread starts: new with its first events, resumed at the interrupt that was answered, or recovered after a stop. A
 * recovered thread starts at the first node: the journal makes that safe, and no half-written checkpoint can matter. So does one
 * whose checkpoint another version has written: its graph may be another one (D-329).
 */
export type Start =
  | { readonly kind: "new"; readonly events: readonly JournalEvent[] }
  | { readonly kind: "resume"; readonly interrupt_id: string }
  /**
   * `after`: the fault of this server that cut the task off. `crashed`: another server ended in it without being stopped. `cleared`:
   * nothing that was started before runs any more. `left_by`: the owner before, which has ended.
   */
  | {
      readonly kind: "recover";
      readonly after?: string;
      readonly crashed?: true;
      readonly cleared?: true;
      readonly left_by?: string | null;
    };

type ThreadRun = {
  readonly graph: Graph;
  readonly checkpoints: Checkpoints;
  readonly thread: Thread;
  readonly thread_id: string;
  /** Null on a promotion. */
  readonly task_id: string | null;
  readonly input: object;
  readonly start: Start;
};

// Far above any procedure: two supersteps per retried step, at most 1,000 steps.
const RECURSION_LIMIT = 10_000;

export async function runThread(run: ThreadRun): Promise<"paused" | "finished"> {
  const { graph, checkpoints, thread, thread_id, task_id, start } = run;
  const resumed = start.kind === "resume" && (await checkpoints.prune(thread_id)) ? start.interrupt_id : null;
  if (start.kind !== "new" && resumed === null) await checkpoints.deleteThread(thread_id);
  // The node looks the answer up in the journal (awaitDecision, await-resolution.ts), so the value that it is resumed with says nothing.
  const input = resumed === null ? run.input : new Command({ resume: { [resumed]: "answered" } });
  const config = { configurable: { thread_id }, durability: "exit", recursionLimit: RECURSION_LIMIT } as const;
  const result = await graph.invoke(input, config);
  if (!isInterrupted(result)) {
    if (start.kind !== "new") await checkpoints.deleteThread(thread_id);
    return "finished";
  }
  const [question] = result[INTERRUPT];
  if (question === undefined) throw new Error(`thread ${thread_id} paused without a question`);
  await pauseThread(thread, task_id, question);
  return "paused";
}

type RunTaskDeps = {
  readonly store: Store;
  readonly threads: Threads;
  readonly graph: Graph;
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly owner: string;
  readonly lease_ms: number;
  readonly log: { error(details: object, message: string): void };
  /** Why the skill of the intent cannot be used; null where it can, and without a skill. */
  readonly skillFaultOf: (intent: string) => string | null;
};

export const leaseEnd = ({ clock, lease_ms }: Pick<RunTaskDeps, "clock" | "lease_ms">): string =>
  new Date(clock().getTime() + lease_ms).toISOString();

/** The part of a task's run between a claim and the next pause or end. */
type Segment = {
  readonly projection: Projection;
  /** False while the task is paused in the middle of its steps: no other task may have its target. */
  readonly frees_target: boolean;
  /**
   * `ended_elsewhere`: another writer has ended the task. `target_held`: another task has its target, and nothing of it has run.
   * `released`: this server drains, and left it between two steps.
   */
  readonly result: "finished" | "paused" | "ended_elsewhere" | "target_held" | "released";
};

export async function runTask(
  deps: RunTaskDeps,
  { task_id, contract, ...targeting }: Pick<TaskRef, "task_id" | "contract" | "intent" | "target_signature">,
  given: Start,
): Promise<Segment> {
  const { threads, owner } = deps;
  const start = replayed(given);
  const thread = start.kind === "new" ? threads.open(task_id, start.events) : await threads.threadOf(task_id);
  const segment = (result: Segment["result"], frees_target = true): Segment => ({
    projection: thread.journal.projection,
    frees_target,
    result,
  });
  try {
    const { kind, left_by = null, ...why } = start.kind === "recover" ? start : { kind: start.kind };
    const target = exclusiveTarget(targeting);
    const leased = { owner, lease_expires_at: leaseEnd(deps), left_by, target };
    const claiming = { task_id, ...leased, recovery: kind === "recover", ...why };
    const claimed = await claimOf(thread, start, claim(claiming));
    const run = { ...deps, thread, thread_id: task_id, task_id, input: { contract }, start };
    const result = claimed
      ? await runOrPark(run, whyParked(deps, contract, thread.journal.projection))
      : unclaimable(thread);
    if (result === "finished" && thread.draining() && !threads.hasEnded(task_id)) {
      await releaseTask(deps, task_id);
      return segment("released");
    }
    return segment(result, result !== "paused" || !hasStarted(thread.journal.projection));
  } catch (error) {
    if (thread.journal.met.lost_tail) {
      await settleLostTail(deps, task_id, thread.journal.events);
      return segment("ended_elsewhere", stepInFlight(thread.journal.projection) === null);
    }
    if (thread.journal.met.target_held) return segment("target_held");
    if (!isFenced(error) || !threads.hasEnded(task_id)) throw error;
    await deps.checkpoints.deleteThread(task_id);
    return segment("ended_elsewhere");
  } finally {
    threads.close(task_id);
  }
}

/** Without effect where this server does not have the task. */
const releaseTask = async ({ store, owner }: Pick<RunTaskDeps, "store" | "owner">, task_id: string) =>
  void (await store.commit({ thread_id: task_id, after: "last", ...release(task_id, owner) }));

/** The claim of a task that was accepted here is durable with the first thing that is recorded of it, before any effect. */
async function claimOf({ journal }: Thread, { kind }: Start, { events, changes }: Transition): Promise<boolean> {
  if (kind !== "new") return (await journal.tryCommit(events, changes)) === null;
  for (const event of events) journal.note(event, changes);
  return true;
}

async function runOrPark(run: ThreadRun, why: WhyParked | null): Promise<"paused" | "finished"> {
  if (why === null) return runThread(run);
  await park(run.thread, run.thread_id, why);
  return "paused";
}

const replayed = (start: Start): Start =>
  start.kind === "resume" && isAskedByWorker(start.interrupt_id) ? { kind: "recover" } : start;

/** A task that cannot be claimed has ended, or it waits: the response to the commit of its pause may have been lost (D-224). */
const unclaimable = ({ journal: { met, projection } }: Thread): Segment["result"] => {
  const { reported } = projection;
  if (met.target_held) return "target_held";
  return reported !== null && isPaused(reported.status) ? "paused" : "ended_elsewhere";
};

// Records the question of an interrupted graph: the supervisor is asked, and the id of the interrupt is kept, because only
// that id may resume the thread.

const Pending = z.object({ outcome: Outcome, waiting: z.record(z.string(), z.unknown()) });

/** `task_id` is null on a promotion: there only the approval waits. */
export async function pauseThread(thread: Thread, task_id: string | null, { id, value }: Interrupt): Promise<void> {
  const { outcome, waiting: asked } = Pending.parse(value);
  const waiting = Waiting.parse({ ...asked, interrupt_id: id });
  const { projection } = thread.journal;
  const { procedure } = projection;
  const keeps_target = hasStarted(projection);
  const { events, changes } = pause({ task_id, outcome, waiting, procedure, keeps_target });
  await thread.journal.commit(events, changes);
}
