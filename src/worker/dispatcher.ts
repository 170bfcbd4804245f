// Decides when a task is taken up: one at a time per target, a bounded number at once, and again from its journal when an
// error or a stop has cut it off (design: the journal is the authority on side effects).
import PQueue from "p-queue";
import { INTENTS, READ_ONLY_INTENTS } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import type { JournalEvent } from "../domain/journal.ts";
import type { PauseStatus } from "../domain/outcome.ts";
import type { Task } from "../domain/task.ts";
import type { Store } from "../ports.ts";
import { hasStarted } from "../tasks/progress.ts";
import type { Taking } from "./run-thread.ts";
import { endWithError, isFenced, leaseEnd, type Taken, type TakeUpDeps, takeUp } from "./take-up.ts";
import type { TargetLocks } from "./target-locks.ts";

export type DispatcherDeps = TakeUpDeps & {
  readonly locks: TargetLocks;
  readonly concurrency: number;
  /** Told once a task has finished, with its journal: candidates are promoted from here. */
  readonly onFinished: (events: readonly JournalEvent[]) => void;
  /** Told once a task has paused: what was asked may expire. */
  readonly onPaused: () => void;
  readonly log: { error(details: object, message: string): void };
};

export type Dispatcher = {
  readonly take: (task: Taken, taking: Taking) => void;
  /** Takes up every unfinished task, and holds the target of each that paused in the middle of its steps. */
  readonly recover: () => Promise<void>;
  /** Frees the target of a task that ended while it was paused, and deletes its checkpoints. */
  readonly forget: (task: Taken) => Promise<void>;
  readonly renewLeases: () => Promise<void>;
  /** Starts no further step and waits for the running ones; after `ms` they are killed and their outcome is unknown. */
  readonly drain: (ms: number) => Promise<void>;
};

const RETRY_MS = [1_000, 5_000, 30_000];
const LAST_RETRY_MS = 30_000;

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, threads, locks, log } = deps;
  const queue = new PQueue({ concurrency: deps.concurrency });
  let draining = false;

  // Diagnostic tasks share their target, and the empty target is nobody's.
  const line = async (task: Taken): Promise<void> => {
    if (!isShared(task)) await locks.acquire(task.target_signature, task.task_id);
  };
  const letGo = (task: Taken): void => {
    if (!isShared(task)) locks.release(task.target_signature, task.task_id);
  };
  const take = (task: Taken, taking: Taking, tries = 0): void => {
    void line(task).then(() => queue.add(() => work(task, taking, tries)));
  };

  async function work(task: Taken, taking: Taking, tries: number): Promise<void> {
    if (draining) return;
    try {
      const { events, frees_target, result } = await takeUp(deps, task, taking);
      if (frees_target) letGo(task);
      if (result === "finished") deps.onFinished(events);
      else if (result === "paused") deps.onPaused();
    } catch (error) {
      if (!isFenced(error)) await again(task, tries, error);
    }
  }

  // The database may be away, or there is a bug: try from the journal a few times, then report it.
  async function again(task: Taken, tries: number, error: unknown): Promise<void> {
    log.error({ task_id: task.task_id, err: error }, "a task was cut off by an error and will be taken up again");
    const said = error instanceof OrchError ? error.message : "an unexpected error, see the log";
    if (tries >= RETRY_MS.length && (await endWithError(deps, task, said))) return letGo(task);
    setTimeout(() => take(task, { as: "found" }, tries + 1), RETRY_MS[tries] ?? LAST_RETRY_MS).unref();
  }

  const forget = async (task: Taken): Promise<void> => {
    letGo(task);
    await deps.checkpoints.deleteThread(task.task_id);
  };

  return {
    take,
    forget,
    recover: async () => {
      await deps.checkpoints.sweep();
      for (const task of await pausedInTheMiddle(store)) await line(task);
      for (const task of await unfinishedInLine(store)) take(task, { as: "found" });
    },
    renewLeases: () => store.renewLeases(deps.owner, leaseEnd(deps)),
    drain: async (ms) => {
      draining = true;
      threads.drain();
      await Promise.race([queue.onIdle(), new Promise<void>((resolve) => setTimeout(resolve, ms).unref())]);
      threads.abandon();
      await queue.onIdle();
    },
  };
}

const isShared = ({ contract, target_signature }: Taken): boolean =>
  READ_ONLY_INTENTS.has(contract.intent) || target_signature === "";

/** A procedure asks before its first step; a skill or an agent may have changed something when it does. */
async function pausedInTheMiddle(store: Store): Promise<Task[]> {
  const unknown = await pausedAs(store, "need_input", ({ waiting }) => waiting?.kind === "resolution");
  const asking = await pausedAs(store, "need_approval", isMidway);
  const begun: Task[] = [];
  for (const task of asking) if (hasStarted(await store.readJournal(task.task_id))) begun.push(task);
  return [...unknown, ...begun];
}

const VOCABULARY: ReadonlySet<string> = new Set(INTENTS);

const isMidway = ({ intent, delegation_mode }: Task): boolean => delegation_mode === "agent" || !VOCABULARY.has(intent);

async function pausedAs(store: Store, status: PauseStatus, isMeant: (task: Task) => boolean): Promise<Task[]> {
  const paused: Task[] = [];
  for (let after: string | undefined; ; ) {
    const page = await store.listTasks({ status, limit: 500, after });
    paused.push(...page.filter(isMeant));
    after = page.at(-1)?.task_id;
    if (page.length < 500) return paused;
  }
}

/** The oldest first, but whoever has begun its steps holds its target: an older task may have been answered behind it. */
async function unfinishedInLine(store: Store): Promise<Task[]> {
  const begun: Task[] = [];
  const others: Task[] = [];
  for (const task of await store.unfinishedTasks()) {
    const holds = task.status === "running" && hasStarted(await store.readJournal(task.task_id));
    (holds ? begun : others).push(task);
  }
  return [...begun, ...others];
}
