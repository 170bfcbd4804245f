// A duty of one server at a time: its queue has at most one entry that runs and one that waits. Every server asks for it once in a
// period, and the first to ask in a period is heard.
import type { Job, PgBoss } from "pg-boss";
import type { BossPart, Put } from "./entries.ts";
import type { WakeupLog } from "./limits.ts";
import { dutyEvery, LOOKS_FOR_DUTY } from "./open-boss.ts";
import { queueOfDuty } from "./routes.ts";
import type { Later } from "./timers.ts";

type Deps = {
  readonly name: string;
  readonly every_ms: number;
  readonly act: (signal: AbortSignal) => Promise<void>;
  readonly put: Put;
  readonly later: Later;
  readonly log: WakeupLog;
  readonly signal: AbortSignal;
};

export function createBossDuty({ name, every_ms, act, put, later, log, signal }: Deps) {
  const queue = queueOfDuty(name);
  const seconds = Math.max(1, Math.round(every_ms / 1_000));
  const options = dutyEvery(seconds);
  let unset: () => void = () => undefined;

  async function run(job: Job): Promise<void> {
    try {
      await act(AbortSignal.any([signal, job.signal]));
    } catch (error) {
      log.error({ duty: name, err: error }, "a duty has failed; it is tried again");
      throw error;
    }
    if (signal.aborted) throw new Error("this server stops; another one goes on");
  }

  /** Written in the period by another server, it is not written again. */
  async function ask(): Promise<void> {
    unset();
    await put({ queue, data: {}, options: { ...options, singletonSeconds: seconds } });
    if (!signal.aborted) unset = later(() => void ask(), seconds * 1_000);
  }

  const part: BossPart = {
    queues: new Map([[queue, "stately"]]),
    begin: async (boss: PgBoss) => {
      await boss.work<object>(queue, { ...LOOKS_FOR_DUTY, batchSize: 1 }, async (jobs) => {
        for (const job of jobs) await run(job);
      });
      unset();
      unset = later(() => void ask(), 1);
    },
  };
  const wake = (): Promise<void> => put({ queue, data: {}, options });
  return { part, wake };
}
