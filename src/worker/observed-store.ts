// Makes the store as a server has it: each commit is timed and counted, and those who wait for a change hear of it.
import { createRecentAnswers, type RecentAnswers } from "../domain/gate.ts";
import type { Quarantine } from "../domain/quarantine.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import type { Servers, Store } from "../ports.ts";
import type { Means } from "../process/system.ts";
import { createFeed, type ServerFeed } from "./feed.ts";
import { type Commits, observeCommits } from "./observe-commits.ts";
import { scoresBehind } from "./score-keeper.ts";

export type ObservedStore = {
  readonly store: Store;
  /** The same store, of whose commits only those hear that are called by hand. */
  readonly unobserved: Store;
  /** The records that cannot be read, as far as they were met. */
  readonly quarantine: Quarantine;
  readonly commits: Commits;
  readonly metrics: Metrics;
  readonly feed: ServerFeed;
  /** The last questions to the routing model. */
  readonly answers: Pick<RecentAnswers, "notice">;
};

/** More may subscribe: they hear of a commit after the feed, the metrics and the answers. */
export function observeStore(
  { store: unobserved, quarantine }: Pick<ObservedStore, "store" | "quarantine">,
  { owner, are_many }: Pick<Servers, "owner" | "are_many">,
  { clock, timer, log }: Means,
): ObservedStore {
  const metrics = createMetrics({ store: unobserved, clock, behind: () => scoresBehind(unobserved) });
  const feed = createFeed({ store: unobserved, are_many, timer, log });
  const answers = createRecentAnswers();
  const { store, ...commits } = observeCommits(metrics.timed(unobserved), {
    owner,
    onFault: (err) => log.error({ err }, "a commit is durable, and one that hears of commits has failed"),
  });
  commits.subscribe({ onChanged: feed.committed, onHeard: feed.heard });
  commits.subscribe({ onCommitted: metrics.committed });
  commits.subscribe({ onCommitted: ({ events }) => answers.note(events) });
  return { store, unobserved, quarantine, commits, metrics, feed, answers };
}
