// What is counted of the tasks, after the fact. Every commit of the server passes through the observer that is made here.
import { endsTask } from "../domain/journal.ts";
import { brokenPromises } from "../evidence/verify/promises.ts";
import type { Log } from "../log/log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import type { Clock, Store } from "../ports.ts";
import { observeCommits } from "../worker/observe-commits.ts";
import { createScoreKeeper } from "../worker/score-keeper.ts";
import { timer } from "../worker/timer.ts";

type Parts = {
  readonly log: Log;
  readonly clock: Clock;
  readonly onEnded: (task_id: string) => void;
  readonly onCaughtUp: (hasTime: () => boolean) => Promise<void>;
};

export function composeScores(stored: Store, { log, clock, onEnded, onCaughtUp }: Parts) {
  const metrics = createMetrics({ store: stored, clock, behind: () => scores.behind() });
  const parts = { store: stored, brokenIn: brokenPromises, onFolded: metrics.folded, onCaughtUp };
  const scores = createScoreKeeper({ ...parts, timer, now: () => performance.now(), log });
  const observer = observeCommits(metrics.timed(stored), (commit) => {
    if (commit.events.some(endsTask)) onEnded(commit.thread_id);
    metrics.committed(commit);
    scores.note(commit);
  });
  return { scores, metrics, observer };
}
