// What is counted of the tasks, after the fact. Every commit of the server passes through the observer that is made here.
import { endsTask } from "../domain/journal.ts";
import { brokenPromises } from "../evidence/verify/promises.ts";
import type { Log } from "../log/log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import type { Clock, Commit, Store } from "../ports.ts";
import { createFeed } from "../worker/feed.ts";
import { observeCommits } from "../worker/observe-commits.ts";
import { createScoreKeeper } from "../worker/score-keeper.ts";
import type { Threads } from "../worker/threads.ts";
import { timer } from "../worker/timer.ts";

type Parts = {
  readonly log: Log;
  readonly clock: Clock;
  readonly owner: string;
  /** Whether other servers share the database, and announce what they commit. */
  readonly are_many: boolean;
  readonly threads: () => Pick<Threads, "isOpen" | "cancel">;
  /** Has the tasks looked at that may be claimed now. */
  readonly wake: () => void;
  readonly onDrain: () => void;
  readonly onEnded: (task_id: string) => void;
  readonly onCaughtUp: (hasTime: () => boolean) => Promise<void>;
};

export function composeScores(stored: Store, given: Parts) {
  const { log, clock, onEnded, onCaughtUp, owner, threads, wake } = given;
  const metrics = createMetrics({ store: stored, clock, behind: () => scores.behind() });
  const feed = createFeed({ store: stored, are_many: given.are_many, timer, log });
  // Apart from the commits of the server, which are counted here: only who shows the scorecard hears of these.
  const commit: Store["commit"] = async (kept) => {
    const result = await stored.commit(kept);
    if (result.ok) feed.committed(kept);
    return result;
  };
  const parts = { store: { ...stored, commit }, brokenIn: brokenPromises, onFolded: metrics.folded, onCaughtUp };
  const scores = createScoreKeeper({ ...parts, timer, now: () => performance.now(), log });
  const onCommitted = (commit: Commit): void => {
    if (commit.events.some(endsTask)) onEnded(commit.thread_id);
    metrics.committed(commit);
    scores.note(commit);
  };
  const observer = observeCommits(metrics.timed(stored), {
    ...{ owner, onCommitted, onReportElsewhere: wake, onCancel: (thread_id) => threads().cancel(thread_id) },
    ...{ onDrain: given.onDrain, onChanged: feed.committed, onHeard: feed.heard },
    ...(given.are_many && { isElsewhere: (thread_id: string) => !threads().isOpen(thread_id) }),
  });
  return { scores, metrics, observer, feed };
}
