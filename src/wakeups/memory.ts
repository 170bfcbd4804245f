// Wakeups within one server, for a database that only one server uses. They are gone with the process: a start looks at everything.
import PQueue from "p-queue";
import type { OpenTransaction, WakeupKind } from "../domain/wakeup.ts";
import type { Timer } from "../ports.ts";
import { inTime, MOST_TRIES, pauseAfter, STOP_MS, type WakeupLog } from "./limits.ts";
import { type Handle, lookAt } from "./look-at.ts";
import { createMemoryDuty } from "./memory-duty.ts";
import type { Wakeups } from "./port.ts";
import { createTimers, type Later } from "./timers.ts";

const AT_ONCE = 8;

type Deps = { readonly timer: Timer; readonly log: WakeupLog };

export function createMemoryWakeups({ timer, log }: Deps): Wakeups {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { later, count, unsetAll } = createTimers(timer);
  const started = Promise.withResolvers<void>();
  const lanes = { take_up: createLane("take_up", later, log), timer: createLane("timer", later, log) };
  const all = Object.values(lanes);
  const duties: { readonly idle: () => Promise<void> }[] = [];
  const due = new Set<string>();

  const put = (kind: WakeupKind, id: string, after_ms: number): void => {
    if (signal.aborted) return;
    if (after_ms <= 0) {
      lanes[kind].add(id);
      return;
    }
    const key = `${kind} ${Math.ceil((performance.now() + after_ms) / 1_000)} ${id}`;
    if (due.has(key)) return;
    due.add(key);
    later(() => {
      due.delete(key);
      lanes[kind].add(id);
    }, after_ms);
  };
  return {
    send: async (kind, id, { after_ms = 0, within } = {}) => onceCommitted(within, () => put(kind, id, after_ms)),
    work: (kind, handle) => {
      const lane = lanes[kind];
      lane.handleWith(handle);
      void started.promise.then(lane.begin);
      return { pause: lane.pause, resume: lane.resume };
    },
    every: (name, every_ms, act) => {
      const duty = createMemoryDuty({ name, every_ms, act, later, log, signal });
      duties.push(duty);
      void started.promise.then(duty.wake);
      return { wake: async () => duty.wake() };
    },
    start: async () => started.resolve(),
    async stop() {
      stopping.abort();
      unsetAll();
      const idle = Promise.all([...all.map((lane) => lane.stop()), ...duties.map((duty) => duty.idle())]);
      if (!(await inTime(idle, STOP_MS))) log.warn({}, "what wakeups began has not ended in time");
    },
    depth: async () => ({
      ready: all.reduce((sum, { ready }) => sum + ready(), 0),
      later: count(),
      running: all.reduce((sum, { running }) => sum + running(), 0),
    }),
  };
}

function onceCommitted(within: OpenTransaction | undefined, act: () => void): void {
  if (within === undefined) act();
  else void within.committed.then((isCommitted) => isCommitted && act());
}

/** What waits of one kind, in its order, and one of each id. */
function createLane(kind: WakeupKind, later: Later, log: WakeupLog) {
  const queue = new PQueue({ concurrency: AT_ONCE, autoStart: false });
  const waiting = new Set<string>();
  let handle: Handle | null = null;
  let isPaused = false;
  let hasBegun = false;
  let isStopped = false;
  const flow = () => (hasBegun && !isPaused ? void queue.start() : queue.pause());

  const look = async (id: string, tries: number): Promise<void> => {
    waiting.delete(id);
    if (handle === null || isStopped) return;
    const looked = await lookAt({ kind, id }, handle, log);
    if (looked === "done" || isStopped) return;
    if (tries < MOST_TRIES) later(() => add(id, tries + 1), pauseAfter(tries));
    else log.error({ kind, id }, "a wakeup was tried for the last time");
  };
  const add = (id: string, tries = 0): void => {
    if (waiting.has(id) || isStopped) return;
    waiting.add(id);
    void queue.add(() => look(id, tries));
  };
  const setPaused = (paused: boolean) => () => {
    isPaused = paused;
    flow();
  };
  return {
    add: (id: string) => add(id),
    handleWith: (given: Handle) => {
      handle = given;
    },
    begin: () => {
      hasBegun = true;
      flow();
    },
    pause: setPaused(true),
    resume: setPaused(false),
    stop: () => {
      isStopped = true;
      queue.clear();
      return queue.onIdle();
    },
    ready: () => waiting.size,
    running: () => queue.pending,
  };
}
