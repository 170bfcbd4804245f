// Folds the journals of tasks that have ended into their scores, after the fact and apart from the tasks: nothing is written
// in their own commits (D-287). How far it has read is committed with what it has folded, so that of several servers one folds a task (D-334).
import { setImmediate as turn } from "node:timers/promises";
import type { Change } from "../../domain/change.ts";
import { isUnreadable } from "../../domain/errors.ts";
import { chain, changesScore, type JournalEvent, type NewEvent } from "../../domain/journal.ts";
import { createMutex } from "../../domain/mutex.ts";
import { candidateIn } from "../../domain/scorecard/counts.ts";
import { type TaskScore, taskScoreOf } from "../../domain/scorecard/task-score.ts";
import { parseOrigin } from "../../domain/sop.ts";
import type { ArchivedTask, Task } from "../../domain/task.ts";
import { promotionThread, subjectOfThread } from "../../domain/thread-id.ts";
import type { Metrics } from "../../metrics/metrics.ts";
import type { Commit, Store, Timer } from "../../ports.ts";
import type { Wakeups } from "../../wakeups/port.ts";
import { brokenPromises } from "../evidence/verify/promises.ts";
import { isFenced } from "./threads.ts";

type Deps = {
  readonly store: Pick<
    Store,
    "readScoring" | "findDuty" | "readJournal" | "findSop" | "findTask" | "findScore" | "findArchived" | "commit"
  >;
  /** The rule of each promise that a journal shows to be broken [8.target.T2]. */
  readonly brokenIn: (events: readonly JournalEvent[]) => readonly string[];
  /** Hears of each task that this server is the first to fold, with what was known of it. A rebuild is no news. */
  readonly onFolded?: (score: TaskScore, before: TaskScore | null) => void;
  /** Called after each fold, with whether there is time left for more. Never rejects. */
  readonly onCaughtUp?: (hasTime: () => boolean) => Promise<void>;
  /** Has one server at a time fold, also when it is woken. Without it, this one folds. */
  readonly share?: (foldAll: () => Promise<void>) => { readonly wake: () => unknown };
  readonly timer: Timer;
  /** In milliseconds, on a clock that is never set. */
  readonly now: () => number;
  readonly log: { error(details: object, message: string): void };
};

export type ScoreKeeper = {
  /** What changes a score is folded once it is quiet. */
  readonly note: (commit: Pick<Commit, "events">) => void;
  /** Never rejects. */
  readonly foldAll: () => Promise<void>;
  /** Folds for so long. Resolves to how many events are left to read. */
  readonly catchUp: (limit_ms: number) => Promise<number>;
  readonly rebuild: () => Promise<void>;
  readonly stop: () => void;
};

/** How many events that change a score are not folded yet, as far as is counted. */
export const scoresBehind = async (store: Pick<Store, "readScoring" | "findDuty">): Promise<number> =>
  (await store.readScoring(await store.findDuty(SCORE_DUTY), MOST_BEHIND)).length;

export const SCORE_DUTY = "score";
/** Up to where tasks were folded for the first time: a rebuild goes back with the other cursor alone. */
const COUNTED = "score_counted";
const SLICE = 200;
const THREADS_PER_TURN = 20;
const QUIET_MS = 1_000;
/** A server that is never quiet folds all the same. */
const LONGEST_WAIT_MS = 60_000;
/** Of a count that is only shown. */
const MOST_BEHIND = 10_000;

export function createScoreKeeper(deps: Deps): ScoreKeeper {
  const { store, timer, now, log } = deps;
  const mutex = createMutex();
  let touched_at: number | null = null;
  let unset: () => void = () => undefined;
  let stopped = false;

  /** Slice by slice, so that one with little time is not held up by one with all of it. */
  const fold = async (until: number): Promise<void> => {
    for (let is_more = true; is_more && !stopped && now() < until; await turn())
      is_more = await mutex.run(() => foldSlice(deps));
  };

  const judged = async (until: number): Promise<void> => {
    if (!stopped) await deps.onCaughtUp?.(() => !stopped && now() < until);
  };

  const foldAll = async (): Promise<void> => {
    touched_at = null;
    const { POSITIVE_INFINITY: all } = Number;
    const failed = (err: unknown): void => {
      if (stopped || isFenced(err)) return;
      log.error({ err }, "the scores of tasks could not be brought up to date; trying again");
      touch();
    };
    await fold(all).then(() => judged(all), failed);
  };

  const shared = deps.share?.(foldAll);

  const touch = (): void => {
    if (stopped) return;
    touched_at ??= now();
    unset();
    const due = (): void => {
      touched_at = null;
      if (shared === undefined) void foldAll();
      else void shared.wake();
    };
    unset = timer(due, Math.min(QUIET_MS, Math.max(0, touched_at + LONGEST_WAIT_MS - now())));
  };

  // What a server before this one has not folded.
  touch();
  return {
    note: ({ events }) => {
      if (events.some(({ kind }) => changesScore(kind))) touch();
    },
    catchUp: async (limit_ms) => {
      const until = now() + limit_ms;
      await fold(until);
      await judged(until);
      return scoresBehind(store);
    },
    foldAll,
    rebuild: async () => {
      await mutex.run(() => beginAnew(store));
      touch();
    },
    stop: () => {
      stopped = true;
      unset();
    },
  };
}

type Serving = {
  /** Only who shows the scorecard hears of the commits of scores; the other commits of the server are counted. */
  readonly store: Store;
  readonly are_many: boolean;
  readonly metrics: Pick<Metrics, "folded">;
  readonly feed: { readonly committed: (commit: Commit) => void };
  readonly demotions: { readonly look: NonNullable<Deps["onCaughtUp"]> };
  readonly wakeups: Pick<Wakeups, "every">;
  readonly timer: Timer;
  readonly log: Deps["log"];
};

/** Of what a server has not folded that has ended meanwhile. */
const FOLD_EVERY_MS = 60_000;

export function createServerScores(serving: Serving): ScoreKeeper {
  const { store, are_many, metrics, feed, demotions, wakeups, timer, log } = serving;
  const commit: Store["commit"] = async (kept) => {
    const result = await store.commit(kept);
    if (result.ok) feed.committed(kept);
    return result;
  };
  return createScoreKeeper({
    store: { ...store, commit },
    brokenIn: brokenPromises,
    onFolded: metrics.folded,
    onCaughtUp: demotions.look,
    ...(are_many && { share: (foldAll) => wakeups.every("scores", FOLD_EVERY_MS, foldAll) }),
    timer,
    now: () => performance.now(),
    log,
  });
}

async function beginAnew(store: Deps["store"]): Promise<void> {
  const counted: Change = { on: "duty_done", name: COUNTED, cursor: await countedIn(store) };
  const from: Change = { on: "duty_done", name: SCORE_DUTY, cursor: 0 };
  if (!(await write(store, [{ on: "scores_deleted" }, from, counted])))
    throw new Error("the scores of tasks could not be deleted");
}

const countedIn = async (store: Deps["store"]): Promise<number> =>
  Math.max(...(await Promise.all([COUNTED, SCORE_DUTY].map((name) => store.findDuty(name)))));

/** Whether more may follow. Where another server has folded meanwhile, nothing is written, and it is looked again. */
async function foldSlice(deps: Deps): Promise<boolean> {
  const { store, onFolded } = deps;
  const from = await store.findDuty(SCORE_DUTY);
  const found = await store.readScoring(from, SLICE);
  const last = found.at(-1);
  if (last === undefined) return false;
  const counted = await countedIn(store);
  const changes: Change[] = [];
  const news: { readonly score: TaskScore; readonly before: TaskScore | null }[] = [];
  for (const [task_id, cursor] of await tasksIn(store, found)) {
    const score = await scoreOf(deps, task_id);
    if (score === null) continue;
    changes.push({ on: "task_scored", score });
    if (onFolded !== undefined && cursor > counted) news.push({ score, before: await store.findScore(task_id) });
    if (changes.length % THREADS_PER_TURN === 0) await turn();
  }
  const done: Change = { on: "duty_done", name: SCORE_DUTY, cursor: last.cursor, expect: from };
  const up_to: Change = { on: "duty_done", name: COUNTED, cursor: Math.max(counted, last.cursor) };
  if (!(await write(store, [...changes, done, up_to]))) {
    if ((await store.findDuty(SCORE_DUTY)) === from) throw new Error("the scores of tasks could not be written");
    return true;
  }
  for (const { score, before } of news) onFolded?.(score, before);
  return found.length === SLICE;
}

type Scoring = Awaited<ReturnType<Store["readScoring"]>>;

/** Each task once, with the last event that changes its score, in the order of those. */
async function tasksIn(store: Deps["store"], found: Scoring): Promise<ReadonlyMap<string, number>> {
  const cursors = new Map<string, number>();
  for (const { cursor, thread_id } of found) {
    for (const task_id of await taskOf(store, thread_id)) {
      cursors.delete(task_id);
      cursors.set(task_id, cursor);
    }
  }
  return cursors;
}

/** The task whose score a thread changes: its own, or the one that made the version which is promoted on the thread. */
async function taskOf(store: Deps["store"], thread_id: string): Promise<string[]> {
  const subject = subjectOfThread(thread_id);
  if (subject.kind === "task") return [subject.task_id];
  const sop = await store.findSop(subject.sop_id).catch(unlessDamaged);
  const origin = sop === null ? null : parseOrigin(sop.origin);
  return origin?.by === "task" ? [origin.task_id] : [];
}

/** Null for a task that has none, and for an archived one that keeps the one that it has. */
async function scoreOf({ store, brokenIn }: Deps, task_id: string): Promise<TaskScore | null> {
  const archived = await store.findArchived(task_id);
  if (archived !== null && (await store.findScore(task_id)) !== null && !(await hasGrown(store, archived))) return null;
  const { events, is_whole } = await readScoredJournal(store, task_id);
  // The archive cannot be read now, which says nothing of the task.
  if (archived !== null && !is_whole) return null;
  const candidate = candidateIn(events);
  const promotion = candidate === null ? [] : (await readScoredJournal(store, promotionThread(candidate))).events;
  return taskScoreOf(events, { broken: is_whole ? brokenIn(events) : ["chain"], promotion });
}

const hasGrown = async (store: Deps["store"], { task_id, last_seq }: ArchivedTask): Promise<boolean> =>
  ((await store.readJournal(task_id, { after: last_seq, limit: 1 }).catch(unlessDamaged)) ?? []).length > 0;

const write = async (store: Deps["store"], changes: readonly Change[]): Promise<boolean> =>
  (await store.commit({ thread_id: SCORE_DUTY, after: "last", events: [], changes })).ok;

// The journal of a thread as the scorecard reads it: also one that cannot be acted on, because its chain is broken or an entry
// cannot be read. Then the row of the task says what the journal would have said of its end.

const WHOLE = { after: 0, limit: 2 ** 31 - 1 };

async function readScoredJournal(
  store: Pick<Store, "readJournal" | "findTask">,
  thread_id: string,
): Promise<{ readonly events: readonly JournalEvent[]; readonly is_whole: boolean }> {
  const whole = await store.readJournal(thread_id).catch(unlessDamaged);
  if (whole !== null) return { events: whole, is_whole: true };
  const broken = await store.readJournal(thread_id, WHOLE).catch(unlessDamaged);
  if (broken !== null) return { events: broken, is_whole: false };
  const task = await store.findTask(thread_id).catch(unlessDamaged);
  return { events: task === null ? [] : eventsIn(task), is_whole: false };
}

/** Null for a record that cannot be read; any other error is thrown. */
export function unlessDamaged(error: unknown): null {
  if (isUnreadable(error)) return null;
  throw error;
}

/** What the row knows of it. */
function eventsIn({ task_id, contract, contract_digest, outcome, verification, created_at, ended_at }: Task) {
  if (outcome === null || ended_at === null) return [];
  const accepted: NewEvent = { kind: "task_accepted", body: { contract, contract_digest } };
  const later: NewEvent[] = [{ kind: "reported", body: outcome }];
  if (verification !== null) {
    const { verified, source, note } = verification;
    later.push({ kind: "verification_recorded", body: { verified, source, note } });
  }
  const first = chain(task_id, null, [accepted], created_at);
  return [...first, ...chain(task_id, first.at(-1) ?? null, later, ended_at)];
}
