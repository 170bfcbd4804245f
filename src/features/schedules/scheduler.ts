// Submits the contracts of schedules when they are due (D-302). One timer serves all of them. The clock of the machine may be set, and
// the machine may sleep, so it is looked at every minute at least.

import { explain } from "../../api/operations/shapes/explain.ts";
import { submitTask } from "../../api/operations/shapes/tasks.ts";
import type { Change } from "../../domain/change.ts";
import { type SentContract, targetSignature } from "../../domain/contract.ts";
import { isQuarantined, OrchError } from "../../domain/errors.ts";
import type { TaskHolds } from "../../domain/hold.ts";
import { hasEnded } from "../../domain/outcome.ts";
import { createBuckets } from "../../domain/rate.ts";
import { hasLostProof } from "../../engine/tasks/active-sop.ts";
import type { Clock, Commit, Store, Timer } from "../../ports.ts";
import type { FeatureWork, RunningServer } from "../feature.ts";
import { heldDue, openDue, refuseDue, skipDue, submittedDue } from "./changes.ts";
import { dueAt } from "./due.ts";
import { contractAt, type Schedule, scheduledTaskId } from "./schedule.ts";

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

// One due time of a schedule (D-302, D-303): it is recorded, then its task is submitted under an id that follows from it, then that is
// recorded. After a stop, the next server goes on where this one was.

type ScheduleRunDeps = {
  readonly store: Pick<Store, "commit" | "findSchedule" | "findTask">;
  readonly clock: Clock;
  /** Why the contract would be blocked; null when it may be submitted. */
  readonly obstacle: (contract: SentContract, schedule: string) => Promise<string | null>;
  /** The same way as for every caller. Rejects with an OrchError. */
  readonly submit: (contract: SentContract, schedule: string) => Promise<unknown>;
  readonly task_holds: Pick<TaskHolds, "holdOn">;
  /** Takes a turn of the rate of submissions; null when there was one, else the seconds until the next. */
  readonly turn: () => number | null;
};

const LONGEST_MS = 60_000;
/** Nothing of these is wrong with the contract: it is submitted later. */
const PASSING: ReadonlySet<string> = new Set(["database_unusable", "busy", "fenced", "internal_error", "quarantined"]);

/** Resolves with the milliseconds after which the schedule is to be looked at again. Rejects when it is to be tried again. */
function createScheduleRun(deps: ScheduleRunDeps): (schedule: Schedule) => Promise<number> {
  const { store, clock } = deps;

  async function run(schedule: Schedule): Promise<number> {
    const { name, open_due, next_due } = schedule;
    if (open_due !== null) return submitOpen(schedule, open_due);
    if (next_due === null) return LONGEST_MS;
    const due = await dueAt(schedule, next_due, clock());
    const { intent, target } = schedule.contract;
    const held_by = deps.task_holds.holdOn({ intent, target_signature: targetSignature(target) });
    // A due time that waited would run at the thaw, at a time that no one has chosen (D-321).
    if (held_by !== null) return (await commit(heldDue(schedule, due, held_by))) ? untilNext(due.next_due) : 1;
    const running = await unended(schedule);
    const isDone = await commit(running === null ? openDue(schedule, due) : skipDue(schedule, due, running));
    if (!isDone || running !== null) return isDone ? untilNext(due.next_due) : 1;
    const opened = await store.findSchedule(name);
    return opened?.open_due == null ? 1 : submitOpen(opened, opened.open_due);
  }

  async function submitOpen(schedule: Schedule, due: string): Promise<number> {
    const contract = contractAt(schedule, due);
    const task_id = scheduledTaskId(schedule.name, due);
    // Where it was submitted before a stop, it is not judged by what has changed since.
    const isKnown = (await store.findTask(task_id)) !== null;
    const wait = isKnown ? null : deps.turn();
    if (wait !== null) return wait * 1_000;
    const why =
      (isKnown ? null : await deps.obstacle(contract, schedule.name)) ?? (await submitting(contract, schedule.name));
    const isDone = await commit(why === null ? submittedDue(schedule, task_id) : refuseDue(schedule, task_id, why));
    return isDone ? untilNext(schedule.next_due) : 1;
  }

  /** Why it is refused; null when it was submitted. */
  async function submitting(contract: SentContract, schedule: string): Promise<string | null> {
    try {
      await deps.submit(contract, schedule);
      return null;
    } catch (error) {
      if (!(error instanceof OrchError) || PASSING.has(error.code)) throw error;
      return error.message;
    }
  }

  /** The task before, when it has not ended. Nothing is known of one that cannot be read. */
  async function unended({ last_task_id }: Schedule): Promise<string | null> {
    if (last_task_id === null) return null;
    const task = await store.findTask(last_task_id).catch((error: unknown) => {
      if (isQuarantined(error)) return "unreadable" as const;
      throw error;
    });
    return task === null || (task !== "unreadable" && hasEnded(task.status)) ? null : last_task_id;
  }

  /** False when the schedule was changed, or removed, since it was read. */
  const commit = async (change: Commit): Promise<boolean> => (await store.commit(change)).ok;
  const untilNext = (next_due: string | null): number =>
    next_due === null ? LONGEST_MS : Date.parse(next_due) - clock().getTime();

  return run;
}

const SET_BACK = "its procedure was set back, and waits for its approval";

export function startSchedules(server: RunningServer): FeatureWork {
  const { config, store, clock, commits, call } = server;
  const takeTurn = createBuckets({ amount: config.submits_per_minute, per_ms: 60_000 }, clock);
  const scheduler = createScheduler({
    ...server,
    turn: () => takeTurn("schedules"),
    submit: (contract, schedule) => call(submitTask.name, contract, `schedule ${schedule}`),
    obstacle: async (contract: SentContract, schedule) => {
      const { would, why, steps } = explain.output.parse(
        await call(explain.name, { contract }, `schedule ${schedule}`),
      );
      // It will be in use again, or replaced: a task that asks to be taught now would hold up those after it.
      const key = { intent: contract.intent, target_signature: targetSignature(contract.target) };
      if (would === "need_input" && (await hasLostProof(store, key))) return SET_BACK;
      if (would !== "block") return null;
      const finding = steps.flatMap(({ findings }) => findings).find(({ verdict }) => verdict === "block");
      return why ?? finding?.reason ?? "policy blocks it; explain says why";
    },
  });
  commits.subscribe({
    onCommitted: ({ changes = [] }) => {
      if (changes.some(setsTime)) void scheduler.arm();
    },
  });
  return {
    after_recovery: { what: "the schedules", run: scheduler.arm },
    arm: scheduler.arm,
    stop: scheduler.stop,
  };
}

/** A schedule was added or resumed: it may be due before the others. */
const setsTime = (change: Change): boolean =>
  change.on === "schedule_created" || (change.on === "schedule" && change.set.status === "active");
