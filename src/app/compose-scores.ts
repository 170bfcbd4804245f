// What is counted of the tasks, after the fact. Every commit of the server passes through the observer that is made here.
import { endsTask } from "../domain/journal.ts";
import { brokenPromises } from "../evidence/verify/promises.ts";
import type { Log } from "../log/log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import type { Clock, Commit, Store } from "../ports.ts";
import { observeCommits } from "../worker/observe-commits.ts";
import { createScoreKeeper } from "../worker/score-keeper.ts";
import { timer } from "../worker/timer.ts";

type Parts = Pick<
  Parameters<typeof observeCommits>[1] & object,
  "onReportElsewhere" | "onCancel" | "owner" | "isElsewhere"
> & {
  readonly log: Log;
  readonly clock: Clock;
  readonly onEnded: (task_id: string) => void;
  readonly onCaughtUp: (hasTime: () => boolean) => Promise<void>;
};

export function composeScores(stored: Store, { log, clock, onEnded, onCaughtUp, ...others }: Parts) {
  const metrics = createMetrics({ store: stored, clock, behind: () => scores.behind() });
  const parts = { store: stored, brokenIn: brokenPromises, onFolded: metrics.folded, onCaughtUp };
  const scores = createScoreKeeper({ ...parts, timer, now: () => performance.now(), log });
  const onCommitted = (commit: Commit): void => {
    if (commit.events.some(endsTask)) onEnded(commit.thread_id);
    metrics.committed(commit);
    scores.note(commit);
  };
  const observer = observeCommits(metrics.timed(stored), { ...others, onCommitted });
  return { scores, metrics, observer };
}
