// Creates what counts the tasks after the fact: on every server by itself, or by one of several at a time (D-334).
import { brokenPromises } from "../evidence/verify/promises.ts";
import type { Log } from "../log/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Store, Timer } from "../ports.ts";
import type { Wakeups } from "../wakeups/port.ts";
import type { createFeed } from "../worker/feed.ts";
import { createScoreKeeper, type ScoreKeeper } from "../worker/score-keeper.ts";
import type { Worker } from "./worker.ts";

type Parts = {
  readonly stored: Store;
  readonly are_many: boolean;
  readonly metrics: Pick<Metrics, "folded">;
  readonly feed: Pick<ReturnType<typeof createFeed>, "committed">;
  readonly demotions: Worker["demotions"];
  readonly wakeups: Pick<Wakeups, "every">;
  readonly timer: Timer;
  readonly log: Log;
};

/** Of what a server has not folded that has ended meanwhile. */
const FOLD_EVERY_MS = 60_000;

export function createScores({ stored, are_many, metrics, feed, demotions, wakeups, timer, log }: Parts): ScoreKeeper {
  // Apart from the commits of the server, which are counted here: only who shows the scorecard hears of these.
  const commit: Store["commit"] = async (kept) => {
    const result = await stored.commit(kept);
    if (result.ok) feed.committed(kept);
    return result;
  };
  const scores: ScoreKeeper = createScoreKeeper({
    store: { ...stored, commit },
    brokenIn: brokenPromises,
    onFolded: metrics.folded,
    onCaughtUp: demotions.look,
    ...(are_many && { onDue: () => void duty?.wake() }),
    timer,
    now: () => performance.now(),
    log,
  });
  const duty = are_many ? wakeups.every("scores", FOLD_EVERY_MS, scores.foldAll) : null;
  return scores;
}
