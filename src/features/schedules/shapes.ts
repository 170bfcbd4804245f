// add_schedule, list_schedules, get_schedule, pause_schedule, resume_schedule, remove_schedule.
import { z } from "zod";
import { EXAMPLE } from "../../api/operations/example.ts";
import { Limit, type NamedSchemas, READ, shape, type Tags } from "../../api/operations/operation.ts";
import { ELSEWHERE } from "../../domain/contract.ts";
import { eitherOf } from "../../domain/published-rules.ts";
import { LeftOut } from "../../domain/quarantine.ts";
import { Ignored } from "../../domain/unknown-fields.ts";
import { Every, Schedule, ScheduledContract, ScheduleName } from "./schedule.ts";

const EXAMPLE_SCHEDULE = "web-up";

export const addSchedule = shape({
  name: "add_schedule",
  summary: "Have orch submit a contract by itself at set times.",
  guidance:
    "Give every or cron. would and why say what would become of a task now. A due time is skipped while the task before waits or runs.",
  method: "POST",
  path: "/v1/schedules",
  scope: "submit",
  hints: { read_only: false, destructive: false, idempotent: true },
  input: z
    .strictObject({
      name: ScheduleName,
      contract: ScheduledContract.meta({
        description: "The fields of submit_task, without task_id, requested_at and wait_seconds.",
        [ELSEWHERE]: "submit_task",
      }),
      every: Every.optional(),
      cron: z
        .string()
        .max(256)
        .optional()
        .describe('Instead of every: minute, hour, day, month, weekday, such as "0 3 * * *".'),
      timezone: z
        .string()
        .max(64)
        .optional()
        .describe("For cron, such as Europe/Berlin (default: that of the server)."),
    })
    .meta({ ...eitherOf("every", "cron"), dependentRequired: { timezone: ["cron"] } }),
  output: z.strictObject({
    schedule: Schedule,
    would: z.string().describe("what would become of its task now, as explain says it"),
    why: z.string().nullable().describe("the obstacle, where there is one"),
    ignored: Ignored.optional(),
  }),
  example: { name: EXAMPLE_SCHEDULE, contract: EXAMPLE.contract, cron: "0 3 * * *", timezone: "Europe/Berlin" },
});

export const listSchedules = shape({
  name: "list_schedules",
  summary: "List the schedules by name.",
  method: "GET",
  path: "/v1/schedules",
  scope: "read",
  hints: READ,
  input: z.strictObject({ limit: Limit, after: ScheduleName.optional().describe("next_after of the page before.") }),
  output: z.strictObject({ schedules: z.array(Schedule), next_after: z.string().nullable(), quarantined: LeftOut }),
  example: { limit: 20 },
});

const Which = z.strictObject({ name: ScheduleName });
const One = z.strictObject({ schedule: Schedule });

export const getSchedule = shape({
  name: "get_schedule",
  summary: "Show a schedule: its next due time, last task, what was skipped or missed.",
  method: "GET",
  path: "/v1/schedules/{name}",
  scope: "read",
  hints: READ,
  input: Which,
  output: One,
  example: { name: EXAMPLE_SCHEDULE },
});

export const pauseSchedule = shape({
  name: "pause_schedule",
  summary: "Pause a schedule; due times in the pause are not made up for.",
  method: "POST",
  path: "/v1/schedules/{name}/pause",
  scope: "submit",
  hints: { read_only: false, destructive: false, idempotent: true },
  input: Which,
  output: One,
  example: { name: EXAMPLE_SCHEDULE },
});

export const resumeSchedule = shape({
  name: "resume_schedule",
  summary: "Let a paused schedule go on with its next due time.",
  method: "POST",
  path: "/v1/schedules/{name}/resume",
  scope: "submit",
  hints: { read_only: false, destructive: false, idempotent: true },
  input: Which,
  output: One,
  example: { name: EXAMPLE_SCHEDULE },
});

export const removeSchedule = shape({
  name: "remove_schedule",
  summary: "Remove a schedule. Its tasks stay, and a running one goes on.",
  method: "POST",
  path: "/v1/schedules/{name}/remove",
  scope: "submit",
  hints: { read_only: false, destructive: true, idempotent: false },
  input: Which,
  output: One,
  example: { name: EXAMPLE_SCHEDULE },
});

export const SCHEDULE_SHAPES = [
  addSchedule,
  listSchedules,
  getSchedule,
  pauseSchedule,
  resumeSchedule,
  removeSchedule,
] as const;

/** Records that the OpenAPI document names. */
export const SCHEDULE_SCHEMAS = {
  Schedule: [Schedule, "A contract that orch submits by itself: when it is due, and what its due times came to."],
} satisfies NamedSchemas;

/** By the first part of the path. */
export const SCHEDULE_TAGS: Tags = { schedules: ["Schedules", "Contracts that orch submits by itself."] };
