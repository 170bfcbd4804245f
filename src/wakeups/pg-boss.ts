// Carries the wakeups of several servers through PostgreSQL, by pg-boss. Everything here is about liveness: what is lost is found by the
// looks at all tasks, so no fault of it reaches a caller (D-317).

import { hostname } from "node:os";
import type { Job, JobWithMetadata, PgBoss, QueueResult, SendOptions } from "pg-boss";
import { z } from "zod";
import type { WakeupDepth } from "../domain/server.ts";
import type { Timer } from "../ports.ts";
import {
  createTimers,
  FIRST_PAUSE_S,
  type Handle,
  inTime,
  type Later,
  LONGEST_PAUSE_S,
  lookAt,
  MOST_TRIES,
  pauseAfter,
  STOP_MS,
  type WakeupLog,
  type Wakeups,
  type WakeupWork,
} from "./port.ts";

const TRIES = {
  retryLimit: MOST_TRIES,
  retryDelay: FIRST_PAUSE_S,
  retryBackoff: true,
  retryDelayMax: LONGEST_PAUSE_S,
  // How long a server that was killed keeps a duty.
  heartbeatSeconds: 10,
};

const WAKEUP: SendOptions = { ...TRIES, expireInSeconds: 60, deleteAfterSeconds: 60 };

// How often a server looks by itself. What is new is announced, and a server knows when what it has failed is tried again: only what a
// lost server leaves waits for these looks (D-377).
const LOOKS = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 10, heartbeatRefreshSeconds: 3 };
/** A duty that failed, or that a server has left, is tried again by whichever looks first. */
const LOOKS_FOR_DUTY = { ...LOOKS, notifyPollingIntervalSeconds: 5 };
/** After the moment by the clock of this process, when it is due by that of the database. */
const DUE_MARGIN_MS = 50;

type Deps = {
  readonly database_url: string;
  /** Of this server. */
  readonly labels: readonly string[];
  readonly timer: Timer;
  readonly log: WakeupLog;
};

type Put = (queue: string, data: object, options: SendOptions) => Promise<void>;

/** `begin` is called with each instance of pg-boss, once the queues are there. */
type Part = {
  readonly queues: readonly string[];
  readonly policy: "short" | "stately";
  readonly begin: (boss: PgBoss) => Promise<void>;
};

export function createPgBossWakeups({ database_url, labels, timer, log }: Deps): Wakeups {
  const stopping = new AbortController();
  const { signal } = stopping;
  const timers = createTimers(timer);
  const parts: Part[] = [];
  const known = new Set<string>();

  async function ensure(boss: PgBoss, queue: string, policy: Part["policy"]): Promise<void> {
    if (known.has(queue)) return;
    await boss.createQueue(queue, { policy, notify: true });
    known.add(queue);
  }
  async function begin(boss: PgBoss, { queues, policy, begin: go }: Part): Promise<void> {
    for (const queue of queues) await ensure(boss, queue, policy);
    await go(boss);
  }
  const running = createRunningBoss({
    database_url,
    timer,
    log,
    queues: () => parts.flatMap(({ queues }) => queues),
    begin: async (boss) => {
      known.clear();
      for (const part of parts) await begin(boss, part);
    },
  });
  const add = (part: Part): void => {
    parts.push(part);
    const boss = running.boss();
    if (boss !== null) void begin(boss, part).catch(running.failed);
  };
  /** What cannot be written is given up. */
  const put: Put = async (queue, data, options) => {
    const boss = running.boss();
    if (boss === null || signal.aborted) return;
    try {
      await ensure(boss, queue, "short");
      await boss.send(queue, data, options);
    } catch (error) {
      running.failed(error);
    }
  };
  const deps = { put, later: timers.later, log, signal, failed: running.failed };

  return {
    send: (id, options = {}) => put(queueOf(options.labels ?? []), { id, labels: options.labels ?? [] }, keyed(id)),
    work: (handle) => {
      const lane = createLane({ ...deps, handle, labels });
      add(lane.part);
      return lane.work;
    },
    every: (name, every_ms, act) => {
      const duty = createDuty({ ...deps, name, every_ms, act });
      add(duty.part);
      return { wake: duty.wake };
    },
    start: running.start,
    async stop() {
      stopping.abort();
      timers.unsetAll();
      await running.stop();
    },
    async depth() {
      try {
        return depthOf((await running.boss()?.getQueues()) ?? null);
      } catch (error) {
        running.failed(error);
        return null;
      }
    },
  };
}

/** One of an id waits at most. */
const keyed = (id: string): SendOptions => ({ ...WAKEUP, singletonKey: id });

/** `tries`: how often it was passed on. */
const Written = z.object({ id: z.string(), labels: z.array(z.string()), tries: z.number().int().default(0) });

const TAKE_UP = "take_up";

/**
 * A wakeup with labels goes through the queue of one of them, so that a server asks one queue for each of its labels, and not one for each
 * set of them (D-318). A label has colons, which the name of a queue cannot have, and no slash.
 */
const queueOfLabel = (label: string): string => `${TAKE_UP}.${label.replaceAll(":", "/")}`;

/** The label that says most: that of one host, else the first in their order. */
function queueOf(labels: readonly string[]): string {
  const label = labels.find((one) => one.startsWith("host:")) ?? [...labels].sort()[0];
  return label === undefined ? TAKE_UP : queueOfLabel(label);
}

type PartDeps = {
  readonly put: Put;
  readonly later: Later;
  readonly log: WakeupLog;
  readonly signal: AbortSignal;
  readonly failed: (error: unknown) => void;
};

type LaneDeps = PartDeps & { readonly handle: Handle; readonly labels: readonly string[] };

/**
 * Hears of wakeups: one at a time from each queue, the next one at once. While it is paused it asks for none, so that a server without a free
 * place leaves them to the others.
 */
function createLane({ put, later, log, signal, failed, handle, labels }: LaneDeps) {
  const own = new Set(labels);
  const queues = [TAKE_UP, ...labels.map(queueOfLabel)];
  let current: PgBoss | null = null;
  let workers: { readonly queue: string; readonly id: string }[] = [];
  let isPaused = false;
  let changed = Promise.resolve();

  /** What is rejected is tried again, here or on another server. */
  async function look({ data, retryCount }: JobWithMetadata<unknown>, wake: () => void): Promise<void> {
    if (signal.aborted) throw new Error("this server stops; another one goes on");
    const { id, labels: needed, tries } = Written.parse(data);
    const lacking = needed.find((label) => !own.has(label));
    if (lacking !== undefined) return passOn({ id, labels: needed, tries: tries + 1 }, lacking);
    if ((await lookAt(id, handle, log)) === "done") return;
    later(wake, pauseAfter(retryCount + 1) + DUE_MARGIN_MS);
    throw new Error("it is to be looked at again");
  }

  /** To those with the label that is lacking here: at once, and after a pause where it was passed on before. */
  async function passOn(written: z.output<typeof Written>, lacking: string): Promise<void> {
    const { id, tries } = written;
    if (tries > MOST_TRIES) return;
    // With a key of its own, so that it never keeps back what is sent now.
    const paused = { singletonKey: `${id} passed on`, startAfter: pauseAfter(tries - 1) / 1_000 };
    await put(queueOfLabel(lacking), written, { ...keyed(id), ...(tries > 1 && paused) });
  }

  async function ask(boss: PgBoss, queue: string): Promise<{ readonly queue: string; readonly id: string }> {
    let worker: string | undefined;
    const wake = () => worker !== undefined && boss.notifyWorker(worker);
    const options = { ...LOOKS, batchSize: 1, includeMetadata: true } as const;
    worker = await boss.work(queue, options, async (jobs: JobWithMetadata<unknown>[]) => {
      try {
        for (const job of jobs) await look(job, wake);
      } finally {
        // Else it waits for its next look by itself.
        wake();
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

  const part: Part = {
    queues,
    policy: "short",
    begin: (boss) => {
      current = boss;
      workers = [];
      return change();
    },
  };
  const work: WakeupWork = { pause: setPaused(true), resume: setPaused(false) };
  return { part, work };
}

type DutyDeps = PartDeps & {
  readonly name: string;
  readonly every_ms: number;
  readonly act: (signal: AbortSignal) => Promise<void>;
};

/**
 * A duty of one server at a time: its queue has at most one entry that runs and one that waits. Every server asks for it once in a period, and
 * the first to ask in a period is heard.
 */
function createDuty({ name, every_ms, act, put, later, log, signal }: DutyDeps) {
  const queue = `duty.${name}`;
  const seconds = Math.max(1, Math.round(every_ms / 1_000));
  // An act that does not end is begun anew after an hour. A done one keeps its period for as long as that lasts.
  const options: SendOptions = { ...TRIES, expireInSeconds: 3_600, deleteAfterSeconds: seconds + 60 };
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
    await put(queue, {}, { ...options, singletonSeconds: seconds });
    if (!signal.aborted) unset = later(() => void ask(), seconds * 1_000);
  }

  const part: Part = {
    queues: [queue],
    policy: "stately",
    begin: async (boss) => {
      await boss.work<object>(queue, { ...LOOKS_FOR_DUTY, batchSize: 1 }, async (jobs) => {
        for (const job of jobs) await run(job);
      });
      unset();
      unset = later(() => void ask(), 1);
    },
  };
  return { part, wake: (): Promise<void> => put(queue, {}, options) };
}

function depthOf(queues: readonly QueueResult[] | null): WakeupDepth | null {
  if (queues === null) return null;
  const sum = (of: (counts: QueueResult) => number) => queues.reduce((total, counts) => total + of(counts), 0);
  return {
    ready: sum(({ readyCount }) => readyCount),
    later: sum(({ deferredCount }) => deferredCount),
    running: sum(({ activeCount }) => activeCount),
  };
}

// Keeps pg-boss running: it is started again where its schema or one of its queues is gone, and looked at after any fault. Nothing of
// it is thrown at a caller.

const START_MS = 3_000;
/** Until the first look at what has failed; twice as long until each that follows. */
const FIRST_LOOK_MS = 2_000;
const LONGEST_LOOK_MS = 30_000;
/** What works asks every two seconds, so by then it has asked. */
const QUIET_MS = 6_000;
/** Of one kind of warning, which pg-boss may repeat every few seconds. */
const WARN_AGAIN_MS = 3_600_000;

type BossDeps = {
  readonly database_url: string;
  /** Makes what is missing and begins to work. */
  readonly begin: (boss: PgBoss) => Promise<void>;
  /** Those that have to be there. */
  readonly queues: () => readonly string[];
  readonly timer: Timer;
  readonly log: WakeupLog;
};

function createRunningBoss({ database_url, begin, queues, timer, log }: BossDeps) {
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
