// What the journal of a schedule records.
import { z } from "zod";
import { TaskId } from "../../domain/contract.ts";
import { HeldBy } from "../../domain/hold.ts";
import { Schedule } from "./schedule.ts";

const { contract, every, cron, timezone, next_due } = Schedule.shape;
const Due = {
  due: z.iso.datetime(),
  missed: z.int().min(0).describe("due times before it, while no server ran"),
  next_due,
};

export const SCHEDULE_EVENTS = {
  schedule_added: z.strictObject({ contract, every, cron, timezone, next_due }),
  schedule_paused: z.strictObject({}),
  schedule_resumed: z.strictObject({ next_due }),
  schedule_removed: z.strictObject({}),
  schedule_due: z.strictObject({ ...Due, task_id: TaskId }).describe("its task is submitted next"),
  schedule_skipped: z.strictObject({ ...Due, running: TaskId.describe("the task that had not ended") }),
  schedule_held: z
    .strictObject({ ...Due, held_by: HeldBy })
    .describe("a freeze holds its task: the due time is skipped"),
  schedule_submitted: z.strictObject({ task_id: TaskId }),
  schedule_failed: z
    .strictObject({ task_id: TaskId, message: z.string() })
    .describe("its task could not be submitted; a message to the supervisor"),
  schedule_restored: z
    .strictObject({
      taken_at: z.iso.datetime(),
      dropped: z.iso.datetime().nullable().describe("the due time whose task was being submitted"),
      next_due,
    })
    .describe("the database was restored from a backup: what came due since is not made up for"),
  schedule_refused: z.strictObject({ task_id: TaskId, message: z.string() }).describe("the same again"),
} as const;
