// Wakeups of several servers through PostgreSQL, by pg-boss. Everything here is about liveness: what is lost is found by the looks at
// all tasks, so no fault of it reaches a caller (D-317).
import type { WakeupDepth, WakeupKind, WakeupOptions } from "../domain/wakeup.ts";
import type { Timer } from "../ports.ts";
import { createBossDuty } from "./boss-duty.ts";
import { createBossLane } from "./boss-lane.ts";
import { createBossLife } from "./boss-life.ts";
import { type BossPart, createEntries } from "./entries.ts";
import { createLaterQueue } from "./later-queue.ts";
import { MOST_TRIES, pauseAfter, type WakeupLog } from "./limits.ts";
import { openBoss } from "./open-boss.ts";
import type { Wakeups } from "./port.ts";
import { type Again, entryOf, type WrittenWakeup } from "./routes.ts";
import { createTimers } from "./timers.ts";

type Deps = {
  readonly database_url: string;
  /** Of this server. */
  readonly labels: readonly string[];
  readonly timer: Timer;
  readonly log: WakeupLog;
};

export function createPgBossWakeups({ database_url, labels, timer, log }: Deps): Wakeups {
  const stopping = new AbortController();
  const { signal } = stopping;
  const timers = createTimers(timer);
  const parts: BossPart[] = [];
  const life = createBossLife({
    ...{ timer, log },
    open: () => openBoss(database_url),
    begin: async (boss) => {
      await entries.learn(boss);
      for (const part of parts) await entries.begin(part, boss);
    },
    queues: () => parts.flatMap(({ queues }) => [...queues.keys()]),
  });
  const entries = createEntries({ boss: life.boss, failed: life.failed, signal });
  const add = (part: BossPart): void => {
    parts.push(part);
    const boss = life.boss();
    if (boss !== null) void entries.begin(part, boss).catch(life.failed);
  };

  const later = createLaterQueue(entries.put, timers.later);
  add(later.part);
  const write = async (kind: WakeupKind, id: string, options: WakeupOptions, again?: Again): Promise<void> => {
    await entries.put(entryOf(kind, id, options, again));
    if (options.after_ms !== undefined && !signal.aborted) later.expect(options.after_ms);
  };
  const againOf = (kind: WakeupKind) => async (written: WrittenWakeup, lacking: string | undefined) => {
    const { id, labels, tries } = written;
    if (tries >= MOST_TRIES) return;
    const isPassedOn = lacking !== undefined && tries === 0;
    const options = { labels, ...(!isPassedOn && { after_ms: pauseAfter(tries) }) };
    await write(kind, id, options, { tries: tries + 1, lacking });
  };
  return {
    send: (kind, id, options = {}) => write(kind, id, options),
    work: (kind, handle) => {
      const lane = createBossLane({ kind, handle, labels, log, signal, failed: life.failed, again: againOf(kind) });
      add(lane.part);
      return lane.work;
    },
    every: (name, every_ms, act) => {
      const duty = createBossDuty({ name, every_ms, act, put: entries.put, later: timers.later, log, signal });
      add(duty.part);
      return { wake: duty.wake };
    },
    start: life.start,
    async stop() {
      stopping.abort();
      timers.unsetAll();
      await life.stop();
    },
    async depth() {
      try {
        return depthOf((await life.boss()?.getQueues()) ?? null);
      } catch (error) {
        life.failed(error);
        return null;
      }
    },
  };
}

type Counts = { readonly readyCount: number; readonly deferredCount: number; readonly activeCount: number };

function depthOf(queues: readonly Counts[] | null): WakeupDepth | null {
  if (queues === null) return null;
  const sum = (of: (counts: Counts) => number) => queues.reduce((total, counts) => total + of(counts), 0);
  return {
    ready: sum(({ readyCount }) => readyCount),
    later: sum(({ deferredCount }) => deferredCount),
    running: sum(({ activeCount }) => activeCount),
  };
}
