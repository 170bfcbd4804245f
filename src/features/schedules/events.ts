// Defines what the journal of a schedule records.
import { z } from "zod";
import { TaskId } from "../../domain/contract.ts";
import { type EventText, event } from "../../domain/event.ts";
import { HeldBy, heldText } from "../../domain/hold.ts";
import { counted } from "../../domain/printable.ts";
import { Schedule, type ScheduleChange, scheduleIn } from "./schedule.ts";

const { contract, every, cron, timezone, next_due } = Schedule.shape;
const Due = {
  due: z.iso.datetime(),
  missed: z.int().min(0).describe("due times before it, while no server ran"),
  next_due,
};

const about = "schedule";
const after = (missed: number): string => (missed === 0 ? "" : `; ${counted(missed, "due time")} missed before`);
const next = (at: string | null): string => (at === null ? "never due" : `due next at ${at}`);

type Fault = { readonly task_id: string; readonly message: string };

const failed = ({ task_id, message }: Fault): EventText => ({
  about,
  text: `${task_id} was not submitted: ${message}`,
});

export const SCHEDULE_EVENTS = {
  schedule_added: event({
    body: z.strictObject({ contract, every, cron, timezone, next_due }),
    text: (body) => ({
      about,
      text: `added: ${body.every === null ? `${body.cron} (${body.timezone})` : `every ${body.every}`}, ${next(body.next_due)}`,
    }),
  }),
  schedule_paused: event({
    body: z.strictObject({}),
    text: () => ({ about, text: "paused" }),
  }),
  schedule_resumed: event({
    body: z.strictObject({ next_due }),
    text: (body) => ({ about, text: `goes on, ${next(body.next_due)}` }),
  }),
  schedule_removed: event({
    body: z.strictObject({}),
    text: () => ({ about, text: "removed" }),
  }),
  schedule_due: event({
    body: z.strictObject({ ...Due, task_id: TaskId }).describe("its task is submitted next"),
    text: ({ due, task_id, missed }) => ({ about, text: `due at ${due}: ${task_id}${after(missed)}` }),
  }),
  schedule_skipped: event({
    body: z.strictObject({ ...Due, running: TaskId.describe("the task that had not ended") }),
    text: ({ due, running, missed }) => ({
      about,
      text: `due at ${due}, skipped: ${running} has not ended${after(missed)}`,
    }),
  }),
  schedule_held: event({
    body: z.strictObject({ ...Due, held_by: HeldBy }).describe("a freeze holds its task: the due time is skipped"),
    text: ({ due, held_by, missed }) => ({
      about,
      text: `due at ${due}, skipped: ${heldText(held_by)}${after(missed)}`,
    }),
  }),
  schedule_submitted: event({
    body: z.strictObject({ task_id: TaskId }),
    text: ({ task_id }) => ({ about, text: `${task_id} was submitted` }),
  }),
  schedule_failed: event({
    body: z
      .strictObject({ task_id: TaskId, message: z.string() })
      .describe("its task could not be submitted; a message to the supervisor"),
    text: failed,
    message: {
      status: "blocked",
      text: ({ task_id, message }) => `Task ${task_id} of the schedule was not submitted: ${message}`,
      webhook: "schedule.blocked",
      next: ({ thread_id }) => [
        {
          operation: "get_schedule",
          arguments: { name: scheduleIn(thread_id) ?? thread_id },
          text: "See what its last due times came to.",
        },
        {
          operation: null,
          arguments: {},
          text: "Remove what is in its way. Nothing more is reported while it fails for the same reason.",
        },
      ],
    },
  }),
  schedule_restored: event({
    body: z
      .strictObject({
        taken_at: z.iso.datetime(),
        dropped: z.iso.datetime().nullable().describe("the due time whose task was being submitted"),
        next_due,
      })
      .describe("the database was restored from a backup: what came due since is not made up for"),
    level: 55,
    text: ({ taken_at, dropped, next_due: at }) => ({
      about,
      text: `restored from a backup of ${taken_at}${dropped === null ? "" : `; ${dropped} is not submitted`}, ${at === null ? "and paused" : next(at)}`,
    }),
  }),
  schedule_refused: event({
    body: z.strictObject({ task_id: TaskId, message: z.string() }).describe("the same again"),
    text: failed,
  }),
};

type ScheduleFeed = { readonly event: "schedule"; readonly data: { readonly name: string } };

const feedOf = (name: string): ScheduleFeed => ({ event: "schedule", data: { name } });

/** What a page reads again after the change. */
export const feedOfSchedule = (change: ScheduleChange): ScheduleFeed =>
  feedOf(change.on === "schedule_created" ? change.schedule.name : change.name);

/** The same after a message on the thread; null where it is not of a schedule. */
export function feedOfScheduleThread(thread_id: string): ScheduleFeed | null {
  const name = scheduleIn(thread_id);
  return name === null ? null : feedOf(name);
}
