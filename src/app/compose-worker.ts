// What works on tasks: the dispatcher, the promotions of candidates, and the expiry of approvals.
import type { Log } from "../log/log.ts";
import { expire } from "../operations/decide.ts";
import type { Clock, Store } from "../ports.ts";
import type { Projection } from "../tasks/projection.ts";
import { createDispatcher } from "../worker/dispatcher.ts";
import { createExpiry } from "../worker/expiry.ts";
import { createPromotions, type Promotions } from "../worker/promotions.ts";
import type { Checkpoints } from "../worker/run-thread.ts";
import { createTargetLocks } from "../worker/target-locks.ts";
import type { Threads } from "../worker/threads.ts";
import type { composeGraphs } from "./compose-graphs.ts";

const LEASE_MS = 30_000;

type Parts = {
  readonly store: Store;
  readonly threads: Threads;
  readonly checkpoints: Checkpoints;
  readonly graphs: Pick<ReturnType<typeof composeGraphs>, "sop" | "promotion">;
  /** Who holds the leases. */
  readonly owner: string;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly log: Log;
};

export function composeWorker({ store, threads, checkpoints, graphs, owner, concurrency, clock, log }: Parts) {
  const locks = createTargetLocks();
  const onPaused = () => void expiry.arm();
  const promotions = createPromotions({
    store,
    threads,
    checkpoints,
    graph: graphs.promotion,
    onPaused,
    log,
  });
  const dispatcher = createDispatcher({
    store,
    threads,
    locks,
    checkpoints,
    graph: graphs.sop,
    owner,
    concurrency,
    lease_ms: LEASE_MS,
    onFinished: (projection) => promoteCandidates(promotions, projection),
    onPaused,
    clock,
    log,
  });
  const expiry = createExpiry({
    store,
    clock,
    log,
    expire: (approval) => expire({ store, clock, dispatcher, promotions }, approval),
  });
  return { locks, promotions, dispatcher, expiry };
}

/** A candidate of a replacement task is settled by that task. */
function promoteCandidates(promotions: Pick<Promotions, "dispatch">, { is_taught, sop_changes }: Projection): void {
  if (!is_taught) return;
  for (const { sop_id, status } of sop_changes) {
    if (status === "candidate") promotions.dispatch(sop_id, { kind: "new", events: [] });
  }
}
