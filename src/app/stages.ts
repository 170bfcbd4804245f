// Lists what a server does before it takes calls and from then on at set times, and says whether it is ready.
import { setTimeout as sleep } from "node:timers/promises";
import type { AnyOperation } from "../api/operations/operation.ts";
import { OrchError, wordsOf } from "../domain/errors.ts";
import { clockSkew, MOST_SKEW_SECONDS } from "../domain/server.ts";
import type { Stage } from "../features/feature.ts";
import type { Log } from "../log/log.ts";
import type { Clock, Servers, Store } from "../ports.ts";
import type { Orch } from "./compose.ts";

const TIMERS_MS = 30_000;

type Means = {
  readonly clock: Clock;
  readonly log: Log;
};

/** In the order of a start. */
export const stagesOf = ({ observed, execution, engine, features }: Orch, { clock, log }: Means): Stage[] => [
  { what: "the preparation of this machine", run: execution.prepare },
  ...features.flatMap(({ before_recovery }) => before_recovery ?? []),
  { what: "the look at the clocks", run: () => warnOfSkew({ store: observed.store, clock, log }) },
  { what: "the look at what is held", run: engine.task_holds.look },
  { what: "the recovery of unfinished tasks", run: engine.dispatcher.recover },
  { what: "the recovery of promotions", run: engine.promotions.reconcile },
  { what: "the expiry of approvals", run: engine.expiry.arm },
  ...features.flatMap(({ after_recovery }) => after_recovery ?? []),
];

/** Starts what a server does at set times, once it serves. */
export async function startDuties({ engine, features }: Orch, { are_many }: Pick<Servers, "are_many">): Promise<void> {
  engine.looks.start();
  for (const { share } of features) share?.();
  if (are_many) shareTimers({ engine, features });
  await engine.wakeups.start();
}

/** Lets one server at a time do what is due by the clock, also for servers that have ended. */
const shareTimers = ({ engine, features }: Pick<Orch, "engine" | "features">): void =>
  void engine.wakeups.every("timers", TIMERS_MS, async () => {
    await engine.expiry.arm();
    for (const { arm } of features) await arm?.();
  });

// Warns once, at start, when the clock of this server and that of the database differ: expiries and schedules go by the one, leases by the other.

type Deps = {
  readonly store: Pick<Store, "describeServers">;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
};

export async function warnOfSkew({ store, clock, log }: Deps): Promise<void> {
  const before = clock().getTime();
  const cluster = await store.describeServers();
  const ahead_seconds = clockSkew(before, clock().getTime(), cluster);
  if (Math.abs(ahead_seconds) <= MOST_SKEW_SECONDS) return;
  log.warn({ ahead_seconds }, "the clock of this server and that of the database differ: set both by NTP");
}

// Whether the server serves: from its open port until everything is recovered, each stage is tried again while the database does
// not work, and fails the start where the database works (D-226). No call is answered before: a task must not be claimed twice.

type ReadinessDeps = {
  /** Rejects while the database does not work. */
  readonly ping: () => Promise<unknown>;
  readonly log: { error(details: object, message: string): void };
  readonly pause?: (ms: number) => Promise<unknown>;
};

const STARTING = "unfinished tasks are being claimed";
/** Of a stage, while the database works: the fault is not one that passes. */
const MOST_FAULTS = 3;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

export type Readiness = ReturnType<typeof createReadiness>;

export function createReadiness({ ping, log, pause = sleep }: ReadinessDeps) {
  /** Null once the server serves. */
  let missing: string | null = STARTING;
  let leaving: string | null = null;
  let changed = Promise.withResolvers<void>();
  const become = (what: string | null): void => {
    missing = what;
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const served = async (): Promise<void> => {
    while (missing === STARTING) await changed.promise;
    if (missing !== null) throw new OrchError("database_unusable", `orch does not serve: ${missing}`);
  };
  const repeated = async ({ what, run }: Stage): Promise<void> => {
    let faults = 0;
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, LONGEST_PAUSE_MS)) {
      try {
        return void (await run());
      } catch (error) {
        if (error instanceof OrchError && error.code === "fenced") throw error;
        const works = await ping().then(
          () => true,
          () => false,
        );
        faults += works ? 1 : 0;
        log.error({ err: error }, `the server could not start yet: ${what} failed`);
        if (faults >= MOST_FAULTS) throw startFault(what, error);
        become(works ? `${what} failed; it is tried again` : `the database does not work, so ${what} is tried again`);
        await pause(ms);
      }
    }
  };
  return {
    /** The same operation, which waits for the start, and is refused after a fault. */
    gated: (operation: AnyOperation): AnyOperation => ({
      ...operation,
      handle: (input, caller) => served().then(() => operation.handle(input, caller)),
    }),
    missing: (): string | null => missing ?? leaving,
    become,
    /** From now on it is not ready for more, and answers all the same. */
    leave: (why: string): void => {
      leaving = why;
    },
    /** Resolves once every stage has succeeded. */
    recover: async (stages: readonly Stage[]): Promise<void> => {
      for (const stage of stages) await repeated(stage);
      become(null);
    },
  };
}

const startFault = (what: string, error: unknown): OrchError =>
  error instanceof OrchError
    ? error
    : new OrchError("internal_error", `${what} failed: ${wordsOf(error)}`, { cause: error });
