// The life of a schedule: each function gives what one commit writes, the row and the event that records it, on the thread of the
// schedule. A due time is recorded before its task is submitted, so that a stop between the two is noticed (D-302).
import type { Change } from "../domain/change.ts";
import type { FieldIssue } from "../domain/errors.ts";
import type { HeldBy } from "../domain/freeze.ts";
import type { NewEvent } from "../domain/journal.ts";
import {
  intervalMs,
  MIN_INTERVAL_MS,
  type Schedule,
  type ScheduleDefinition,
  scheduledTaskId,
} from "../domain/schedule.ts";
import { scheduleThread } from "../domain/thread-id.ts";
import type { Commit } from "../ports.ts";
import { cronIn, isTimezone, wallCron } from "./wall-clock.ts";

type Known = Pick<Schedule, "name" | "status" | "next_due" | "open_due" | "created_at">;
type Set = Extract<Change, { on: "schedule" }>["set"];

const commitOf = (name: string, event: NewEvent, change: Change): Commit => ({
  thread_id: scheduleThread(name),
  after: "last",
  events: [event],
  changes: [change],
});

/** Fails to hold when the schedule was changed, or removed, since it was read. */
const changed = ({ name, status, next_due, open_due, created_at }: Known, event: NewEvent, set: Set): Commit =>
  commitOf(name, event, { on: "schedule", name, expect: { status, next_due, open_due, created_at }, set });

export function addSchedule(given: ScheduleDefinition, next_due: string | null, at: string) {
  const { name, contract, every, cron, timezone } = given;
  const none = { open_due: null, last_due: null, last_task_id: null, runs: 0, skipped: 0, missed: 0, fault: null };
  const schedule: Schedule = {
    name,
    contract,
    every,
    cron,
    timezone,
    status: "active",
    next_due,
    ...none,
    created_at: at,
    updated_at: at,
  };
  const body = { contract, every, cron, timezone, next_due };
  return { schedule, commit: commitOf(name, { kind: "schedule_added", body }, { on: "schedule_created", schedule }) };
}

export const pauseSchedule = (schedule: Known): Commit =>
  changed(schedule, { kind: "schedule_paused", body: {} }, { status: "paused", next_due: null });

/** Due times that came while it was paused are not made up for. */
export const resumeSchedule = (schedule: Known, next_due: string | null): Commit =>
  changed(schedule, { kind: "schedule_resumed", body: { next_due } }, { status: "active", next_due });

export const removeSchedule = ({ name, created_at }: Known): Commit =>
  commitOf(name, { kind: "schedule_removed", body: {} }, { on: "schedule_deleted", name, expect: { created_at } });

/** From now on its task is submitted, by this server or the next. */
export const openDue = (schedule: Schedule, { due, missed, next_due }: Due): Commit =>
  changed(
    schedule,
    { kind: "schedule_due", body: { due, task_id: scheduledTaskId(schedule.name, due), missed, next_due } },
    { open_due: due, last_due: due, next_due, missed: schedule.missed + missed },
  );

export const skipDue = (schedule: Schedule, { due, missed, next_due }: Due, running: string): Commit =>
  changed(
    schedule,
    { kind: "schedule_skipped", body: { due, running, missed, next_due } },
    { last_due: due, next_due, missed: schedule.missed + missed, skipped: schedule.skipped + 1 },
  );

/** Counted as skipped. */
export const heldDue = (schedule: Schedule, { due, missed, next_due }: Due, held_by: HeldBy): Commit =>
  changed(
    schedule,
    { kind: "schedule_held", body: { due, held_by, missed, next_due } },
    { last_due: due, next_due, missed: schedule.missed + missed, skipped: schedule.skipped + 1 },
  );

export const submittedDue = (schedule: Schedule, task_id: string): Commit =>
  changed(
    schedule,
    { kind: "schedule_submitted", body: { task_id } },
    { open_due: null, last_task_id: task_id, runs: schedule.runs + 1, fault: null },
  );

/** A message to the supervisor, unless the last one said the same. */
export function refuseDue(schedule: Schedule, task_id: string, why: string): Commit {
  const kind = schedule.fault === why ? "schedule_refused" : "schedule_failed";
  return changed(schedule, { kind, body: { task_id, message: why } }, { open_due: null, fault: why });
}

// When a schedule is due (D-304): an interval counts from when it was added, so that it does not drift; a cron expression follows the
// clock of its time zone.

type When = Pick<Schedule, "every" | "cron" | "timezone">;

/** Five fields, or six with the seconds first, or a name such as @daily. */
const CRON = /^(@[a-z]{1,12}|\S{1,64}( \S{1,64}){4,5})$/i;
const LOOKED_AT = 50;
/** A longer outage is not counted on: one run takes a third of a millisecond to compute. */
const MOST_MISSED = 2_000;
const PER_TURN = 50;

/** What is wrong with the fields; none for times that come. */
export function whenIssues({ every, cron, timezone }: When, now: Date): FieldIssue[] {
  if (every !== null && cron !== null)
    return [{ path: "cron", message: "cannot be given with every; give one of them" }];
  if (every !== null)
    return timezone === null
      ? []
      : [{ path: "timezone", message: "belongs to cron; an interval has none, leave it out" }];
  if (cron === null)
    return [{ path: "every", message: 'is required, such as "5m"; or give cron, such as "0 3 * * *"' }];
  if (timezone !== null && !isTimezone(timezone))
    return [{ path: "timezone", message: "must be a time zone of IANA, such as Europe/Berlin or UTC" }];
  return cronIssues(cron, timezone ?? "UTC", now);
}

function cronIssues(cron: string, timezone: string, now: Date): FieldIssue[] {
  const path = "cron";
  if (!CRON.test(cron))
    return [{ path, message: 'must be five fields: minute, hour, day, month, weekday; such as "0 3 * * *"' }];
  try {
    const runs = cronIn(cron, timezone).nextRuns(LOOKED_AT, now);
    if (runs.length === 0) return [{ path, message: "names a time that never comes" }];
    const gaps = runs.slice(1).map((run, nth) => run.getTime() - (runs[nth]?.getTime() ?? 0));
    return gaps.some((gap) => gap < MIN_INTERVAL_MS)
      ? [{ path, message: `is due more often than every ${MIN_INTERVAL_MS / 1000} s; make it rarer` }]
      : [];
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : "it cannot be read";
    return [{ path, message: `is no cron expression: ${why}` }];
  }
}

const whole = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000);

/** The first due time after `at`; `since` is a due time, or when the schedule was added. Null when none comes. */
export function nextDue({ every, cron, timezone }: When, since: string, at: Date): string | null {
  if (cron !== null)
    return (
      wallCron(cron, timezone ?? "UTC")
        .next(at)
        ?.toISOString() ?? null
    );
  const ms = intervalMs(every ?? "") ?? MIN_INTERVAL_MS;
  const begun = whole(new Date(since)).getTime();
  const passed = Math.max(0, Math.floor((at.getTime() - begun) / ms));
  return new Date(begun + (passed + 1) * ms).toISOString();
}

type Due = {
  /** The newest due time that has come. */
  readonly due: string;
  /** Those before it that nothing was done about; 2,000 may be more. */
  readonly missed: number;
  readonly next_due: string | null;
};

/** `first` is a due time that has come. */
export async function dueAt(when: When, first: string, now: Date): Promise<Due> {
  if (when.cron === null) {
    const ms = intervalMs(when.every ?? "") ?? MIN_INTERVAL_MS;
    const missed = Math.max(0, Math.floor((now.getTime() - Date.parse(first)) / ms));
    const due = Date.parse(first) + missed * ms;
    return { due: new Date(due).toISOString(), missed, next_due: new Date(due + ms).toISOString() };
  }
  const cron = wallCron(when.cron, when.timezone ?? "UTC");
  let [due, missed] = [new Date(first), 0];
  let next = cron.next(due);
  for (; next !== null && next <= now && missed < MOST_MISSED; next = cron.next(due)) {
    [due, missed] = [next, missed + 1];
    if (missed % PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  if (next !== null && next <= now) {
    due = cron.newest(now) ?? due;
    next = cron.next(due);
  }
  return { due: due.toISOString(), missed, next_due: next?.toISOString() ?? null };
}
