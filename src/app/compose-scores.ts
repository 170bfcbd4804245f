// What is counted of the tasks, after the fact. Every commit of the server passes through the observer that is made here.
import { endsTask } from "../domain/journal.ts";
import { brokenPromises } from "../evidence/verify/promises.ts";
import type { Log } from "../log/log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import type { Clock, Commit, Store } from "../ports.ts";
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
  readonly threads: () => Pick<Threads, "isOpen" | "cancel" | "findCancelled">;
  /** Has the tasks looked at that may be claimed now. */
  readonly wake: () => void;
  readonly onDrain: () => void;
  readonly onEnded: (task_id: string) => void;
  readonly onCaughtUp: (hasTime: () => boolean) => Promise<void>;
};

export function composeScores(stored: Store, given: Parts) {
  const { log, clock, onEnded, onCaughtUp, owner, threads, wake } = given;
  const metrics = createMetrics({ store: stored, clock, behind: () => scores.behind() });
  const parts = { store: stored, brokenIn: brokenPromises, onFolded: metrics.folded, onCaughtUp };
  const scores = createScoreKeeper({ ...parts, timer, now: () => performance.now(), log });
  const onCommitted = (commit: Commit): void => {
    if (commit.events.some(endsTask)) onEnded(commit.thread_id);
    metrics.committed(commit);
    scores.note(commit);
  };
  const onCancel = (thread_id: string | null): void => {
    const failed = (err: unknown) =>
      log.error({ err }, "requests to cancel were not looked for; a task hears with its next commit");
    if (thread_id === null) void threads().findCancelled().catch(failed);
    else threads().cancel(thread_id);
  };
  const observer = observeCommits(metrics.timed(stored), {
    ...{ owner, onCommitted, onReportElsewhere: wake, onCancel },
    onDrain: given.onDrain,
    ...(given.are_many && { isElsewhere: (thread_id: string) => !threads().isOpen(thread_id) }),
  });
  return { scores, metrics, observer };
}
