// Keeps pg-boss running: it is started again where its schema or one of its queues is gone, and looked at after any fault. Nothing of
// it is thrown at a caller.
import type { PgBoss } from "pg-boss";
import type { Timer } from "../ports.ts";
import { inTime, STOP_MS, type WakeupLog } from "./limits.ts";
import { createOutage } from "./outage.ts";

const START_MS = 3_000;

type Deps = {
  readonly open: () => Promise<PgBoss>;
  /** Makes what is missing and begins to work. */
  readonly begin: (boss: PgBoss) => Promise<void>;
  /** Those that have to be there. */
  readonly queues: () => readonly string[];
  readonly timer: Timer;
  readonly log: WakeupLog;
};

export type BossLife = {
  /** Null while it cannot be used. */
  readonly boss: () => PgBoss | null;
  readonly failed: (error: unknown) => void;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export function createBossLife({ open, begin, queues, timer, log }: Deps): BossLife {
  const outage = createOutage(log);
  let boss: PgBoss | null = null;
  let isStopped = false;
  let unset: (() => void) | null = null;
  let looking = Promise.resolve();
  let stopped: Promise<void> | null = null;

  const lookIn = (ms: number): void => {
    if (isStopped) return;
    unset ??= timer(() => {
      unset = null;
      looking = look();
    }, ms);
  };
  const failed = (error: unknown): void => {
    if (!isStopped) lookIn(outage.fault(error));
  };

  async function tryToStart(): Promise<void> {
    const opened = await open();
    opened.on("error", (error) => opened === boss && failed(error));
    opened.on("warning", ({ message, data }) => outage.warning(message, data));
    try {
      await opened.start();
      if (isStopped) return await close(opened, log);
      boss = opened;
      await begin(opened);
    } catch (error) {
      boss = null;
      await close(opened, log);
      throw error;
    }
  }

  async function look(): Promise<void> {
    try {
      if (boss !== null && !(await isWhole(boss, queues()))) {
        const broken = boss;
        boss = null;
        await close(broken, log);
      }
      if (isStopped) return;
      if (boss === null) await tryToStart();
      const again = outage.lookedWell();
      if (again !== null) lookIn(again);
    } catch (error) {
      outage.lookedBad();
      failed(error);
    }
  }

  async function stop(): Promise<void> {
    isStopped = true;
    unset?.();
    await inTime(looking, STOP_MS);
    if (boss !== null) await close(boss, log);
    boss = null;
  }

  return {
    boss: () => boss,
    failed,
    start: async () => {
      looking = look();
      await inTime(looking, START_MS);
    },
    stop: () => (stopped ??= stop()),
  };
}

async function isWhole(boss: PgBoss, names: readonly string[]): Promise<boolean> {
  if (!(await boss.isInstalled())) return false;
  const found = new Set((await boss.getQueues([...names])).map(({ name }) => name));
  return names.every((name) => found.has(name));
}

/** Never rejects. */
async function close(boss: PgBoss, log: WakeupLog): Promise<void> {
  try {
    if (await inTime(boss.stop({ graceful: true, timeout: STOP_MS / 2 }), STOP_MS)) return;
    log.warn({}, "the connections of wakeups are not closed in time");
  } catch (error) {
    log.warn({ err: error }, "the connections of wakeups were not closed");
  }
}
