// Makes the changes in the life of a schedule: each function gives what one commit writes, the row and the event that
// records it, on the thread of the schedule. A due time is recorded before its task is submitted, so that a stop between
// the two is noticed (D-302).
import type { Change } from "../../domain/change.ts";
import type { HeldBy } from "../../domain/hold.ts";
import type { NewEvent } from "../../domain/journal.ts";
import type { Commit } from "../../ports.ts";
import type { Due } from "./due.ts";
import { type Schedule, type ScheduleDefinition, scheduledTaskId, scheduleThread } from "./schedule.ts";

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

/**
 * Of a database that was restored from a backup. Paused, so that it starts no work by itself: due times that came since are not made up
 * for, and one whose task was being submitted is dropped (D-370).
 */
export const settleSchedule = (schedule: Schedule, taken_at: string): Commit =>
  changed(
    schedule,
    { kind: "schedule_restored", body: { taken_at, dropped: schedule.open_due, next_due: null } },
    { status: "paused", open_due: null, next_due: null },
  );
