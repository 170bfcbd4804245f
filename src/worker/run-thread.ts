// Runs a thread through its graph, to its end or its next question, which is recorded; a task's thread under a lease.
import { Command, INTERRUPT, type Interrupt, isInterrupted } from "@langchain/langgraph";
import { z } from "zod";
import { exclusiveTarget } from "../domain/contract.ts";
import type { JournalEvent } from "../domain/journal.ts";
import { isPaused, Outcome } from "../domain/outcome.ts";
import { type Task, Waiting } from "../domain/task.ts";
import type { Clock, Store } from "../ports.ts";
import { hasStarted, stepInFlight } from "../tasks/progress.ts";
import type { Projection } from "../tasks/projection.ts";
import type { Thread } from "../tasks/thread.ts";
import { claim, pause, release, type Transition } from "../tasks/transitions.ts";
import { isAskedByWorker, park, type WhyParked, whyParked } from "./give-up.ts";
import { isFenced, settleLostTail } from "./thread-journal.ts";
import type { Threads } from "./threads.ts";

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

export type TaskRef = Pick<
  Task,
  "task_id" | "contract" | "intent" | "target_signature" | "backend" | "runs_on" | "needs_level"
>;

export type RunTaskDeps = {
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
export type Segment = {
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
export const releaseTask = async ({ store, owner }: Pick<RunTaskDeps, "store" | "owner">, task_id: string) =>
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
