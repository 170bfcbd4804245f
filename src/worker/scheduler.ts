// Submits the contracts of schedules when they are due (D-302). One timer serves all of them. The clock of the machine may be set, and
// the machine may sleep, so it is looked at every minute at least.
import type { Schedule } from "../domain/schedule.ts";
import type { Store, Timer } from "../ports.ts";
import { createScheduleRun, LONGEST_MS, type ScheduleRunDeps } from "./run-schedule.ts";

type Deps = ScheduleRunDeps & {
  readonly store: Pick<Store, "dueSchedules">;
  readonly timer: Timer;
  readonly log: { error(details: object, message: string): void };
};

export type Scheduler = {
  /** Submits what is due and sets the timer for the next. Call it at start and after a schedule was changed. */
  readonly arm: () => Promise<void>;
  /** Resolves when nothing is being submitted. */
  readonly stop: () => Promise<void>;
};

const RETRY_MS = 5_000;

export function createScheduler(deps: Deps): Scheduler {
  const { store, clock, timer, log } = deps;
  const run = createScheduleRun(deps);
  let unset: () => void = () => undefined;
  let stopped = false;
  let last: Promise<void> = Promise.resolve();

  const wakeIn = (ms: number): void => {
    if (stopped) return;
    unset();
    unset = timer(() => void arm(), Math.min(Math.max(ms, 1), LONGEST_MS));
  };

  async function round(): Promise<void> {
    if (stopped) return;
    try {
      const { due, next } = await store.dueSchedules(clock().toISOString());
      let again = next === null ? LONGEST_MS : Date.parse(next) - clock().getTime();
      for (const schedule of due) {
        if (stopped) return;
        again = Math.min(again, await tryRun(schedule));
      }
      wakeIn(again);
    } catch (error) {
      log.error({ err: error }, "schedules could not be looked at; trying again");
      wakeIn(RETRY_MS);
    }
  }

  /** In how many milliseconds to look again. A schedule that cannot be run does not delay the others. */
  async function tryRun(schedule: Schedule): Promise<number> {
    try {
      return await run(schedule);
    } catch (error) {
      log.error({ schedule: schedule.name, err: error }, "a schedule could not be run; trying again");
      return RETRY_MS;
    }
  }

  function arm(): Promise<void> {
    last = last.then(round);
    return last;
  }

  return {
    arm,
    stop: async () => {
      stopped = true;
      unset();
      await last;
    },
  };
}
