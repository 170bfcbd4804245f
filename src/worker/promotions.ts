// Sees every candidate through its promotion: opens the thread, carries a decision on, and takes up after a stop whatever
// was left half way. Its effects are rows only, so a replay is all the recovery there is.
import PQueue from "p-queue";
import { lastOf } from "../domain/journal.ts";
import type { Sop } from "../domain/sop.ts";
import { promotionThread } from "../domain/thread-id.ts";
import type { Store } from "../ports.ts";
import { type Checkpoints, type Graph, runThread, type Taking } from "./run-thread.ts";
import { isFenced } from "./take-up.ts";
import type { Threads } from "./threads.ts";

type Deps = {
  readonly store: Store;
  readonly threads: Threads;
  readonly graph: Graph;
  readonly checkpoints: Checkpoints;
  /** Told once a promotion has paused: its approval may expire. */
  readonly onPaused: () => void;
  readonly log: { error(details: object, message: string): void };
};

export type Promotions = {
  readonly take: (sop_id: string, taking: Taking) => void;
  readonly recover: () => Promise<void>;
  readonly drain: () => Promise<void>;
};

export function createPromotions(deps: Deps): Promotions {
  const { store, threads, log } = deps;
  const queue = new PQueue({ concurrency: 1 });

  const take = (sop_id: string, taking: Taking): void => {
    void queue.add(() =>
      run(sop_id, taking).catch((error: unknown) => {
        if (isFenced(error)) return;
        log.error({ sop_id, err: error }, "a promotion was interrupted by an error; it is taken up at the next start");
      }),
    );
  };

  async function run(sop_id: string, taking: Taking): Promise<void> {
    const thread_id = promotionThread(sop_id);
    try {
      const thread = taking.as === "new" ? threads.open(thread_id, taking.events) : await threads.threadOf(thread_id);
      const stretch = { ...deps, thread, thread_id, task_id: null, input: { sop_id }, taking };
      if ((await runThread(stretch)) === "paused") deps.onPaused();
    } finally {
      threads.close(thread_id);
    }
  }

  /** A candidate of an update_sop task is settled by that task. */
  async function isWaiting({ sop_id, origin }: Sop): Promise<boolean> {
    if (origin.startsWith("update_sop ")) return true;
    return (
      lastOf(await store.readJournal(promotionThread(sop_id)), "reported")?.status === "need_approval" &&
      (await store.listApprovals({ thread_id: promotionThread(sop_id), status: "pending", limit: 1 })).length > 0
    );
  }

  return {
    take,
    recover: async () => {
      for (let after: string | undefined; ; ) {
        const candidates = await store.listSops({ status: "candidate", limit: 500, after });
        for (const sop of candidates) if (!(await isWaiting(sop))) take(sop.sop_id, { as: "found" });
        after = candidates.at(-1)?.sop_id;
        if (candidates.length < 500) return;
      }
    },
    drain: () => queue.onIdle(),
  };
}
