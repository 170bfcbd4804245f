// Keeps pg-boss running: it is started again where its schema or one of its queues is gone, and looked at after any fault. Nothing of
// it is thrown at a caller.
import { hostname } from "node:os";
import type { PgBoss } from "pg-boss";
import type { Timer } from "../ports.ts";
import { inTime, STOP_MS } from "./look-at.ts";
import type { WakeupLog } from "./port.ts";

const START_MS = 3_000;
/** Until the first look at what has failed; twice as long until each that follows. */
const FIRST_LOOK_MS = 2_000;
const LONGEST_LOOK_MS = 30_000;
/** What works asks every two seconds, so by then it has asked. */
const QUIET_MS = 6_000;
/** Of one kind of warning, which pg-boss may repeat every few seconds. */
const WARN_AGAIN_MS = 3_600_000;

type Deps = {
  readonly database_url: string;
  /** Makes what is missing and begins to work. */
  readonly begin: (boss: PgBoss) => Promise<void>;
  /** Those that have to be there. */
  readonly queues: () => readonly string[];
  readonly timer: Timer;
  readonly log: WakeupLog;
};

export function createRunningBoss({ database_url, begin, queues, timer, log }: Deps) {
  let boss: PgBoss | null = null;
  let isStopped = false;
  let unset: (() => void) | null = null;
  let looking = Promise.resolve();
  let isOut = false;
  let faultAt = 0;
  let badLooks = 0;
  const warnedAt = new Map<string, number>();

  const lookIn = (ms: number): void => {
    if (isStopped) return;
    unset ??= timer(() => {
      unset = null;
      looking = look();
    }, ms);
  };
  /** An outage is logged when it begins and when it is over. */
  const failed = (error: unknown): void => {
    if (isStopped) return;
    faultAt = performance.now();
    if (isOut) log.debug({ err: error }, "wakeups still do not work");
    else log.warn({ err: error }, "wakeups do not work; what waits is found by the seldom looks at everything");
    isOut = true;
    lookIn(Math.min(FIRST_LOOK_MS * 2 ** badLooks, LONGEST_LOOK_MS));
  };
  const warned = (message: string, data: object): void => {
    const kind = message.replaceAll(/\d+/g, "");
    if (performance.now() - (warnedAt.get(kind) ?? -WARN_AGAIN_MS) < WARN_AGAIN_MS) return;
    warnedAt.set(kind, performance.now());
    log.warn({ data }, `pg-boss: ${message}`);
  };

  async function tryToStart(): Promise<void> {
    const opened = await openBoss(database_url);
    opened.on("error", (error) => opened === boss && failed(error));
    opened.on("warning", ({ message, data }) => warned(message, data));
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
      badLooks = 0;
      if (!isOut) return;
      if (performance.now() - faultAt < QUIET_MS) return lookIn(QUIET_MS);
      isOut = false;
      log.info({}, "wakeups work again");
    } catch (error) {
      badLooks += 1;
      failed(error);
    }
  }

  return {
    /** Null while it cannot be used. */
    boss: () => boss,
    failed,
    start: async (): Promise<void> => {
      looking = look();
      await inTime(looking, START_MS);
    },
    stop: async (): Promise<void> => {
      isStopped = true;
      unset?.();
      await inTime(looking, STOP_MS);
      const last = boss;
      boss = null;
      if (last !== null) await close(last, log);
    },
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

const NAME = `orch wakeups pid ${process.pid} on ${hostname()}`;

// As every connection of the store: one whose other end is gone is found out within a minute (D-216).
const SERVER_OPTIONS = [
  "tcp_keepalives_idle=30",
  "tcp_keepalives_interval=10",
  "tcp_keepalives_count=3",
  "idle_in_transaction_session_timeout=10s",
  "lock_timeout=8s",
];

const CONNECTION = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 15_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  options: SERVER_OPTIONS.map((setting) => `-c ${setting}`).join(" "),
};

const LOOK_FOR_DEAD_S = 10;
const CLEAN_S = 600;
const NEVER_S = 86_400;

/** In a schema of its own, with two connections for statements, and one that listens. */
async function openBoss(connectionString: string): Promise<PgBoss> {
  // Not for a server on SQLite.
  const { PgBoss } = await import("pg-boss");
  return new PgBoss({
    ...CONNECTION,
    connectionString,
    schema: "orch_queue",
    application_name: NAME,
    max: 2,
    useListenNotify: true,
    schedule: false,
    registerInstance: false,
    openTelemetry: { enabled: false },
    superviseIntervalSeconds: LOOK_FOR_DEAD_S,
    monitorIntervalSeconds: LOOK_FOR_DEAD_S,
    maintenanceIntervalSeconds: CLEAN_S,
    flowIntervalSeconds: NEVER_S,
  });
}
