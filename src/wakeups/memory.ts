// Keeps the wakeups of a database that only one server uses. They are gone with the process: a start looks at everything.
import PQueue from "p-queue";
import type { Timer } from "../ports.ts";
import {
  createTimers,
  type Handle,
  inTime,
  type Later,
  lookAt,
  MOST_TRIES,
  pauseAfter,
  STOP_MS,
  type WakeupLog,
  type Wakeups,
} from "./port.ts";

const AT_ONCE = 8;

export function createMemoryWakeups({ timer, log }: { readonly timer: Timer; readonly log: WakeupLog }): Wakeups {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { later, count, unsetAll } = createTimers(timer);
  const started = Promise.withResolvers<void>();
  const lane = createLane(later, log, signal);
  const duties: ReturnType<typeof createDuty>[] = [];
  return {
    send: async (id) => lane.add(id),
    work: (handle) => {
      lane.handleWith(handle);
      void started.promise.then(lane.begin);
      return { pause: lane.pause, resume: lane.resume };
    },
    every: (name, every_ms, act) => {
      const duty = createDuty({ name, every_ms, act, later, log, signal });
      duties.push(duty);
      void started.promise.then(duty.wake);
      return { wake: async () => duty.wake() };
    },
    start: async () => started.resolve(),
    async stop() {
      stopping.abort();
      unsetAll();
      const idle = Promise.all([lane.stop(), ...duties.map((duty) => duty.idle())]);
      if (!(await inTime(idle, STOP_MS))) log.warn({}, "what wakeups began has not ended in time");
    },
    depth: async () => ({ ready: lane.ready(), later: count(), running: lane.running() }),
  };
}

/** What waits, in its order, and one of each id. */
function createLane(later: Later, log: WakeupLog, signal: AbortSignal) {
  const queue = new PQueue({ concurrency: AT_ONCE, autoStart: false });
  const waiting = new Set<string>();
  let handle: Handle | null = null;
  let isPaused = false;
  let hasBegun = false;
  const flow = () => (hasBegun && !isPaused ? void queue.start() : queue.pause());

  const look = async (id: string, tries: number): Promise<void> => {
    waiting.delete(id);
    if (handle === null || signal.aborted) return;
    const looked = await lookAt(id, handle, log);
    if (looked === "done" || signal.aborted) return;
    if (tries < MOST_TRIES) later(() => add(id, tries + 1), pauseAfter(tries));
    else log.error({ id }, "a wakeup was tried for the last time");
  };
  const add = (id: string, tries = 0): void => {
    if (waiting.has(id) || signal.aborted) return;
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
      queue.clear();
      return queue.onIdle();
    },
    ready: () => waiting.size,
    running: () => queue.pending,
  };
}

type DutyDeps = {
  readonly name: string;
  readonly every_ms: number;
  readonly act: (signal: AbortSignal) => Promise<void>;
  readonly later: Later;
  readonly log: WakeupLog;
  readonly signal: AbortSignal;
};

/** A duty of the only server: again and again, at most once at a time. Woken while it runs, it runs once more. */
function createDuty({ name, every_ms, act, later, log, signal }: DutyDeps) {
  let running: Promise<void> | null = null;
  let isWanted = false;
  let failures = 0;
  let unset: () => void = () => undefined;

  async function runOnce(): Promise<void> {
    try {
      await act(signal);
      failures = 0;
    } catch (error) {
      log.error({ duty: name, err: error }, "a duty has failed; it is tried again");
      failures += 1;
    }
  }

  async function run(): Promise<void> {
    unset();
    do {
      isWanted = false;
      await runOnce();
    } while (isWanted && failures === 0 && !signal.aborted);
    running = null;
    if (!signal.aborted) unset = later(wake, failures === 0 ? every_ms : Math.min(every_ms, pauseAfter(failures - 1)));
  }

  const wake = (): void => {
    if (signal.aborted) return;
    isWanted = true;
    running ??= run();
  };
  return { wake, idle: () => running ?? Promise.resolve() };
}
