// Runs the promotion of every candidate: opens the thread, resumes it after a decision, and recovers it after a stop. A
// promotion changes rows only, so replaying its thread is all the recovery that it needs.
import PQueue from "p-queue";
import { parseOrigin, type Sop } from "../domain/sop.ts";
import { promotionThread } from "../domain/thread-id.ts";
import type { Store } from "../ports.ts";
import type { Projection } from "../tasks/projection.ts";
import { isFenced } from "./fence.ts";
import { type Checkpoints, type Graph, runThread, type Start } from "./run-thread.ts";
import type { Threads } from "./threads.ts";

type Deps = {
  readonly store: Store;
  readonly threads: Threads;
  readonly graph: Graph;
  readonly checkpoints: Checkpoints;
  /** Called after a promotion has paused: its approval may expire. */
  readonly onPaused: () => void;
  readonly log: { error(details: object, message: string): void };
};

const AT_ONCE = 4;

export type Promotions = {
  readonly dispatch: (sop_id: string, start: Start) => void;
  readonly recover: () => Promise<void>;
  readonly drain: () => Promise<void>;
};

export function createPromotions(deps: Deps): Promotions {
  const { store, threads, log } = deps;
  // A slow look at one candidate must not hold up the decision on another.
  const queue = new PQueue({ concurrency: AT_ONCE });
  const last = new Map<string, Promise<void>>();

  const dispatch = (sop_id: string, start: Start): void => {
    const before = last.get(sop_id);
    const done = queue.add(async () => {
      await before;
      await run(sop_id, start).catch((error: unknown) => {
        if (isFenced(error)) return;
        log.error({ sop_id, err: error }, "a promotion was cut off by an error; it is recovered at the next start");
      });
    });
    last.set(sop_id, done);
    void done.then(() => {
      if (last.get(sop_id) === done) last.delete(sop_id);
    });
  };

  async function run(sop_id: string, start: Start): Promise<void> {
    const thread_id = promotionThread(sop_id);
    try {
      const thread = start.kind === "new" ? threads.open(thread_id, start.events) : await threads.threadOf(thread_id);
      const result = await runThread({ ...deps, thread, thread_id, task_id: null, input: { sop_id }, start });
      if (result === "paused") deps.onPaused();
    } finally {
      threads.close(thread_id);
    }
  }

  /** A question can be answered once it has the id of its interrupt. The task of an update_sop settles its candidate. */
  async function isWaiting({ sop_id, origin }: Sop): Promise<boolean> {
    if (parseOrigin(origin).by === "update_sop") return true;
    const thread_id = promotionThread(sop_id);
    const pending = await store.listApprovals({ thread_id, status: "pending", limit: 1 });
    return pending.some(({ interrupt_id }) => interrupt_id !== null);
  }

  return {
    dispatch,
    recover: async () => {
      for (let after: string | undefined; ; ) {
        const candidates = await store.listSops({ status: "candidate", limit: 500, after });
        for (const sop of candidates) if (!(await isWaiting(sop))) dispatch(sop.sop_id, { kind: "recover" });
        after = candidates.at(-1)?.sop_id;
        if (candidates.length < 500) return;
      }
    },
    drain: () => queue.onIdle(),
  };
}

/** Promotes what a taught task has proved. A candidate of a replacement task is settled by that task. */
export function promoteCandidates(promotions: Pick<Promotions, "dispatch">, ended: Projection): void {
  if (!ended.is_taught) return;
  for (const { sop_id, status } of ended.sop_changes) {
    if (status === "candidate") promotions.dispatch(sop_id, { kind: "new", events: [] });
  }
}
