// Hears of the wakeups of one kind: one at a time from each queue, the next one at once. While it is paused it asks for none, so that
// a server without a free place leaves them to the others.
import type { Job, PgBoss } from "pg-boss";
import type { WakeupKind } from "../domain/wakeup.ts";
import type { BossPart } from "./entries.ts";
import type { WakeupLog } from "./limits.ts";
import { type Handle, lookAt } from "./look-at.ts";
import { LOOKS } from "./open-boss.ts";
import type { WakeupWork } from "./port.ts";
import { queuesFor, WrittenWakeup } from "./routes.ts";

type Deps = {
  readonly kind: WakeupKind;
  readonly handle: Handle;
  /** Of this server. */
  readonly labels: readonly string[];
  readonly log: WakeupLog;
  readonly signal: AbortSignal;
  readonly failed: (error: unknown) => void;
  /** Announces it anew: to those with the label that is lacking here, at once, else after a pause. */
  readonly again: (written: WrittenWakeup, lacking: string | undefined) => Promise<void>;
};

export function createBossLane({ kind, handle, labels, log, signal, failed, again }: Deps) {
  const queues = queuesFor(kind, labels);
  const own = new Set(labels);
  let current: PgBoss | null = null;
  let workers: { readonly queue: string; readonly id: string }[] = [];
  let isPaused = false;
  let changed = Promise.resolve();

  async function look(job: Job): Promise<void> {
    if (signal.aborted) throw new Error("this server stops; another one goes on");
    const written = WrittenWakeup.parse(job.data);
    const lacking = written.labels.find((label) => !own.has(label));
    if (lacking !== undefined || (await lookAt({ kind, id: written.id }, handle, log)) === "again")
      await again(written, lacking);
  }

  async function ask(boss: PgBoss, queue: string): Promise<{ readonly queue: string; readonly id: string }> {
    let worker: string | undefined;
    worker = await boss.work<object>(queue, { ...LOOKS, batchSize: 1 }, async (jobs) => {
      try {
        for (const job of jobs) await look(job);
      } finally {
        // Else it waits for its next look by itself.
        if (worker !== undefined) boss.notifyWorker(worker);
      }
    });
    return { queue, id: worker };
  }

  /** Brings the workers to what is wanted by now. */
  async function adapt(): Promise<void> {
    const boss = current;
    if (boss === null) return;
    if (!isPaused && workers.length === 0) {
      workers = await Promise.all(queues.map((queue) => ask(boss, queue)));
    } else if (isPaused && workers.length > 0) {
      const before = workers;
      workers = [];
      for (const { queue, id } of before) await boss.offWork(queue, { id, wait: false });
    }
  }
  const change = (): Promise<void> => {
    changed = changed.catch(() => undefined).then(adapt);
    return changed;
  };
  const setPaused = (paused: boolean) => () => {
    isPaused = paused;
    void change().catch(failed);
  };

  const part: BossPart = {
    queues: new Map(queues.map((queue) => [queue, "short"])),
    begin: (boss) => {
      current = boss;
      workers = [];
      return change();
    },
  };
  const work: WakeupWork = { pause: setPaused(true), resume: setPaused(false) };
  return { part, work };
}
