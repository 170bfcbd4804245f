// What is counted of the tasks, after the fact. Every commit of the server passes through the observer that is made here.
import type { RecentAnswers } from "../domain/gate.ts";
import { endsTask } from "../domain/journal.ts";
import { brokenPromises } from "../evidence/verify/promises.ts";
import type { Log } from "../log/log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import type { Clock, Commit, Store } from "../ports.ts";
import type { Wakeups } from "../wakeups/port.ts";
import { createFeed } from "../worker/feed.ts";
import { observeCommits } from "../worker/observe-commits.ts";
import { createScoreKeeper } from "../worker/score-keeper.ts";
import type { Threads } from "../worker/threads.ts";
import { timer } from "../worker/timer.ts";
import type { Worker } from "./compose-worker.ts";

type Parts = {
  readonly log: Log;
  readonly clock: Clock;
  readonly owner: string;
  /** Whether other servers share the database, and announce what they commit. */
  readonly are_many: boolean;
  readonly threads: () => Pick<Threads, "isOpen" | "cancel" | "findCancelled">;
  readonly worker: () => Pick<Worker, "reportedElsewhere" | "demotions">;
  readonly onDrain: () => void;
  readonly onEnded: (task_id: string) => void;
  readonly answers: Pick<RecentAnswers, "note">;
};

/** Of what a server has not folded that has ended meanwhile. */
const FOLD_EVERY_MS = 60_000;

export function composeScores(stored: Store, given: Parts) {
  const { log, clock, onEnded, owner, threads, worker, answers } = given;
  const metrics = createMetrics({ store: stored, clock, behind: () => scores.behind() });
  const feed = createFeed({ store: stored, are_many: given.are_many, timer, log });
  // Apart from the commits of the server, which are counted here: only who shows the scorecard hears of these.
  const commit: Store["commit"] = async (kept) => {
    const result = await stored.commit(kept);
    if (result.ok) feed.committed(kept);
    return result;
  };
  const onCaughtUp = (hasTime: () => boolean) => worker().demotions.look(hasTime);
  const parts = { store: { ...stored, commit }, brokenIn: brokenPromises, onFolded: metrics.folded, onCaughtUp };
  let duty: ReturnType<Wakeups["every"]> | null = null;
  const onDue = (): void => void (duty === null ? scores.foldAll() : duty.wake());
  const scores = createScoreKeeper({ ...parts, onDue, timer, now: () => performance.now(), log });
  /** From now on one server folds, whichever has a task to fold (D-334). */
  const shareFold = (wakeups: Pick<Wakeups, "every">): void => {
    duty = wakeups.every("scores", FOLD_EVERY_MS, scores.foldAll);
  };
  const onCommitted = (commit: Commit): void => {
    if (commit.events.some(endsTask)) onEnded(commit.thread_id);
    metrics.committed(commit);
    answers.note(commit.events);
    scores.note(commit);
  };
  const onReportElsewhere = (thread_id: string | null): void => worker().reportedElsewhere(thread_id);
  const onCancel = (thread_id: string | null): void => {
    const failed = (err: unknown) =>
      log.error({ err }, "requests to cancel were not looked for; a task hears with its next commit");
    if (thread_id === null) void threads().findCancelled().catch(failed);
    else threads().cancel(thread_id);
  };
  const observer = observeCommits(metrics.timed(stored), {
    owner,
    onCommitted,
    onCancel,
    onReportElsewhere,
    onDrain: given.onDrain,
    onChanged: feed.committed,
    onHeard: feed.heard,
    ...(given.are_many && { isElsewhere: (thread_id: string) => !threads().isOpen(thread_id) }),
  });
  return { scores, metrics, observer, feed, shareFold };
}
