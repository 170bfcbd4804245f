// Runs a thread through its graph, to its end or its next question; a task's thread under a lease.
import { setTimeout as sleep } from "node:timers/promises";
import { Command, INTERRUPT, type Interrupt, isInterrupted } from "@langchain/langgraph";
import { z } from "zod";
import type { Change } from "../domain/change.ts";
import { exclusiveTarget, type TaskContract } from "../domain/contract.ts";
import { isUnreadable } from "../domain/errors.ts";
import type { EventKind, JournalEvent } from "../domain/journal.ts";
import { call, type NextAction } from "../domain/next-action.ts";
import { isPaused, Outcome, outcome } from "../domain/outcome.ts";
import { type Task, Waiting } from "../domain/task.ts";
import type { Clock, Store } from "../ports.ts";
import { withdrawn } from "../tasks/approval-record.ts";
import { hasStarted } from "../tasks/progress.ts";
import { type Projection, projection } from "../tasks/projection.ts";
import { restored } from "../tasks/sop-versions.ts";
import { stepInFlight } from "../tasks/step-delivery.ts";
import type { Thread } from "../tasks/thread.ts";
import { claim, end, pause, release, type Transition } from "../tasks/transitions.ts";
import { askedByWorker, isAskedByWorker, question } from "./give-up.ts";
import { isFenced, type Threads } from "./threads.ts";

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

// A task in which a server has crashed twice without progress between, or five times, may be what ends the server, so it is
// parked: nothing of it runs until the supervisor lets it go on (D-258). The same rule for procedures, skills and agents. So is
// one that has begun, and whose skill cannot be used any more (D-271).

const MOST_CRASHES = 2;
/** With progress between them. */
const MOST_IN_ALL = 5;

type WhyParked = { readonly message: string; readonly step_index: number | null; readonly next?: NextAction[] };

/** Null for a task that runs. One that is to be cancelled is cancelled instead. */
export function whyParked(
  { skillFaultOf }: { readonly skillFaultOf: (intent: string) => string | null },
  { task_id, intent, delegation_mode }: TaskContract,
  projection: Projection,
): WhyParked | null {
  const { crashes, all_crashes, cancel_requested } = projection;
  if (cancel_requested !== null) return null;
  if (crashes >= MOST_CRASHES || all_crashes >= MOST_IN_ALL) return crashed(projection);
  const fault = delegation_mode === "agent" ? null : skillFaultOf(intent);
  return fault === null || !hasBegun(projection) ? null : withoutSkill(task_id, fault);
}

/** What has not begun is blocked: nothing of it is lost. */
const hasBegun = ({ skill, approvals }: Projection): boolean => skill.steps.length > 0 || approvals.last !== null;

function crashed(projection: Projection): WhyParked {
  const { text, step_index } = placeOf(projection);
  const message = `The server ended again and again without being stopped while it worked on this task, the last time ${text}. The task may be the cause, so nothing of it runs until the supervisor lets it go on.`;
  return { message, step_index };
}

function withoutSkill(task_id: string, fault: string): WhyParked {
  const message = `${fault}. The task has begun, so it waits until the skill is repaired, orch has started again, and the supervisor lets it go on.`;
  const goOn = "Have the skill repaired and orch started again; then let the task go on.";
  const next = [
    call("resolve_step", { task_id, resolution: "retry" }, goOn),
    call("get_evidence", { task_id }, "Read in the evidence how far it came."),
    call("cancel_task", { task_id }, "Cancel the task."),
  ];
  return { message, step_index: null, next };
}

export async function park({ journal }: Thread, task_id: string, why: WhyParked): Promise<void> {
  const { procedure } = journal.projection;
  const { message, step_index, next } = why;
  const { events, changes } = pause({
    task_id,
    procedure,
    keeps_target: hasStarted(journal.projection),
    outcome: outcome("need_input", "parked", message, { thread_id: task_id, step_index, next }),
    waiting: { kind: "parked", interrupt_id: askedByWorker(journal.events.length) },
  });
  await journal.commit(events, changes);
}

type Place = { readonly text: string; readonly step_index: number | null };

function placeOf({ procedure, steps, skill, agent }: Projection): Place {
  const of_skill = skill.steps.find(({ state }) => state === "cut_off");
  if (of_skill !== undefined) return inStep(of_skill.index);
  const begun = [...steps.records.values()].find(({ state }) => state === "started");
  if (begun !== undefined) return inStep(begun.index);
  if (agent.equipped !== null) return { text: `in turn ${agent.turns.length + 1} of its agent`, step_index: null };
  // The start of a step that changes nothing is recorded with its end.
  if (skill.steps.length > 0) return { text: `after step ${skill.steps.length - 1} of its skill`, step_index: null };
  if (procedure !== null) return { text: `at step ${steps.passed}`, step_index: steps.passed };
  return { text: "at its beginning", step_index: null };
}

const inStep = (step_index: number): Place => ({ text: `in step ${step_index}`, step_index });

// The database has lost the last events of a thread that this server works on, as a fail-over to a copy that lags does (D-230).
// Nothing is run again by itself: what this server knows of the steps is written again, and the task asks about the one that
// may have had an effect, or ends.

type Deps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: { error(details: object, message: string): void };
};

const OF_STEPS: ReadonlySet<EventKind> = new Set([
  "step_started",
  "step_finished",
  "skill_step_started",
  "skill_step_finished",
]);
const PAUSE_MS = 1_000;

/** Resolves once it is durable: a replay of what is left would run the lost steps again. */
export async function settleLostTail(deps: Deps, task_id: string, known: readonly JournalEvent[]): Promise<void> {
  for (;;) {
    try {
      return await settle(deps, task_id, known);
    } catch (error) {
      if (isFenced(error) || isUnreadable(error)) throw error;
      deps.log.error(
        { task_id, err: error },
        "what the database has lost of a task cannot be written yet; it is tried again",
      );
      await sleep(PAUSE_MS);
    }
  }
}

async function settle({ store, clock }: Deps, task_id: string, known: readonly JournalEvent[]): Promise<void> {
  const left = await store.readJournal(task_id);
  const kept = new Set(left.map(({ hash }) => hash));
  const lost = known.filter(({ hash }) => !kept.has(hash));
  const steps = lost.filter(({ kind }) => OF_STEPS.has(kind));
  const state = projection([...left, ...steps]);
  const { procedure } = state;
  const fault = faultOf(steps);
  const failed = outcome("failed", "internal_error", `${fault}.`, { thread_id: task_id });
  const at = clock().toISOString();
  const step = stepInFlight(state);
  // What it has opened may be there although its events are not.
  const opened = projection(known);
  const ended = end({
    task_id,
    outcome: failed,
    at,
    procedure,
    withdrawn: await stillPending(store, withdrawn(opened)),
    restored: await restored(store, opened),
  });
  const asked =
    step && pause({ task_id, procedure, keeps_target: true, ...question(task_id, step, { fault, seq: known.length }) });
  for (const { events, changes } of asked === null ? [ended] : [asked, ended]) {
    const result = await store.commit({ thread_id: task_id, after: "last", events: [...steps, ...events], changes });
    if (result.ok) return;
  }
}

/** Those of approvals that the database has not lost. */
async function stillPending(store: Store, changes: readonly Change[]): Promise<Change[]> {
  const found = await Promise.all(
    changes.map(async (change) => (change.on === "approval" ? store.findApproval(change.approval_id) : null)),
  );
  return changes.filter((_, at) => found[at]?.status === "pending");
}

function faultOf(steps: readonly JournalEvent[]): string {
  const indexes = steps.flatMap(({ body }) => ("index" in body ? [body.index] : []));
  const named = [...new Set(indexes)].sort((a, b) => a - b).join(", ");
  const ran = named === "" ? "no step of them may have run" : `these steps may have run: ${named}; none is run again`;
  return `the database has lost events of this task, and ${ran}`;
}
