// Writes the entries of queues, and makes the queues. What cannot be written is given up: nothing of it reaches a caller.
import type { PgBoss, SendOptions } from "pg-boss";
import type { OpenTransaction } from "../domain/wakeup.ts";
import { LATER } from "./open-boss.ts";
import { writeWithin } from "./write-within.ts";

type Policy = "short" | "stately";

/** What works on queues of pg-boss. */
export type BossPart = {
  readonly queues: ReadonlyMap<string, Policy>;
  /** Called with each instance of pg-boss, once its queues are there. */
  readonly begin: (boss: PgBoss) => Promise<void>;
};

export type QueueEntry = {
  readonly queue: string;
  readonly data: object;
  readonly options: SendOptions;
  readonly within?: OpenTransaction | undefined;
};
export type Put = (entry: QueueEntry) => Promise<void>;

type Deps = {
  readonly boss: () => PgBoss | null;
  readonly failed: (error: unknown) => void;
  readonly signal: AbortSignal;
};

export function createEntries({ boss: current, failed, signal }: Deps) {
  const known = new Set<string>();

  async function ensure(boss: PgBoss, queue: string, policy: Policy): Promise<void> {
    if (known.has(queue)) return;
    await boss.createQueue(queue, { policy, notify: queue !== LATER });
    known.add(queue);
  }

  async function write(boss: PgBoss, { queue, data, options, within }: QueueEntry): Promise<void> {
    if (within === undefined) {
      await ensure(boss, queue, "short");
      await boss.send(queue, data, options);
    } else if (known.has(queue)) {
      await writeWithin(within, (db) => boss.send(queue, data, { ...options, db }));
    } else {
      // A queue that was never used is made outside of the transaction, which does not wait for it.
      void within.committed.then((isCommitted) => (isCommitted ? put({ queue, data, options }) : undefined));
    }
  }
  const put: Put = async (entry) => {
    const boss = current();
    if (boss === null || signal.aborted) return;
    await write(boss, entry).catch(failed);
  };
  return {
    put,
    /** The queues that other servers have made. */
    learn: async (boss: PgBoss): Promise<void> => {
      known.clear();
      for (const { name } of await boss.getQueues()) known.add(name);
    },
    begin: async ({ queues, begin }: BossPart, boss: PgBoss): Promise<void> => {
      for (const [queue, policy] of queues) await ensure(boss, queue, policy);
      await begin(boss);
    },
  };
}
