// A schedule: a contract that orch submits by itself, at an interval or by a cron expression (D-302).
import { z } from "zod";
import { CONTRACT_RULES, SentContract, TaskContract, TaskId } from "../../domain/contract.ts";
import { digestOf } from "../../domain/json.ts";
import { having, wholeUpTo } from "../../domain/published-rules.ts";

export const ScheduleName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/, "must be lower-case letters, digits and hyphens, at most 48")
  .describe("Of the schedule.");

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
export const MIN_INTERVAL_MS = 10_000;
const MAX_INTERVAL_MS = 366 * UNITS.d;

/** `5m` is 300000. Null when the text is not `<number>(s|m|h|d)`, from 10 s to 366 d. */
export function intervalMs(text: string): number | null {
  const [, digits = "", unit = "s"] = /^(\d{1,8})([smhd])$/.exec(text) ?? [];
  const ms = Number(digits) * UNITS[unit as keyof typeof UNITS];
  return digits !== "" && ms >= MIN_INTERVAL_MS && ms <= MAX_INTERVAL_MS ? ms : null;
}

/** The same as a pattern, for readers of the published schema. */
const INTERVAL_PATTERN = `^(?:${Object.entries(UNITS)
  .map(([unit, ms]) => `${wholeUpTo(Math.floor(MAX_INTERVAL_MS / ms), 8)}${unit}`)
  .join("|")})$`;

export const Every = z
  .string()
  .refine((text) => intervalMs(text) !== null, "must be a duration such as 10s, 5m, 1h or 1d, at least 10s")
  .meta({ pattern: INTERVAL_PATTERN, not: { pattern: "^0*\\ds$|^0+[mhd]$" } })
  .describe("Such as 5m, 1h or 1d; at least 10s.");

/** Without a task_id and a time, which follow from each due time. */
const StoredContract = TaskContract.omit({ task_id: true, requested_at: true }).partial({ requested_by: true });
export type ScheduledContract = z.infer<typeof StoredContract>;

export const ScheduledContract = SentContract.omit({ task_id: true, requested_at: true })
  .superRefine((contract, context) => {
    for (const [field, from] of [
      ["task_id", "the name of the schedule and the due time"],
      ["requested_at", "the due time"],
    ] as const)
      if (field in contract)
        context.addIssue({ code: "custom", path: [field], message: `follows from ${from}: leave it out` });
  })
  .meta({ ...CONTRACT_RULES, not: { anyOf: [having({ task_id: {} }), having({ requested_at: {} })] } });

const Time = z.iso.datetime();

const ScheduleState = z.strictObject({
  status: z.enum(["active", "paused"]),
  next_due: Time.nullable().describe("when it is due next; null while it is paused, and when that time never comes"),
  open_due: Time.nullable().describe("the due time whose task is being submitted"),
  last_due: Time.nullable(),
  last_task_id: TaskId.nullable().describe("the task that it has submitted last"),
  runs: z.int().min(0).describe("tasks that it has submitted"),
  skipped: z.int().min(0).describe("due times at which the task before had not ended, or a freeze held it"),
  missed: z.int().min(0).describe("due times at which no server ran"),
  fault: z.string().nullable().describe("why its last task could not be submitted"),
});
/** How far it is. What it submits and when stays as it was made. */
type ScheduleState = z.infer<typeof ScheduleState>;

export const Schedule = z.strictObject({
  name: ScheduleName,
  contract: StoredContract,
  every: z.string().nullable().describe("the interval; null with a cron expression"),
  cron: z.string().nullable().describe("the cron expression; null with an interval"),
  timezone: z.string().nullable().describe("of the cron expression"),
  ...ScheduleState.shape,
  created_at: Time,
  updated_at: Time,
});
export type Schedule = z.infer<typeof Schedule>;

type When = Pick<Schedule, "every" | "cron" | "timezone">;
export type ScheduleDefinition = When & Pick<Schedule, "name" | "contract">;

export const isSameSchedule = (one: ScheduleDefinition, other: ScheduleDefinition): boolean =>
  definitionDigest(one) === definitionDigest(other);

const definitionDigest = ({ name, contract, every, cron, timezone }: ScheduleDefinition): string =>
  digestOf({ name, contract, every, cron, timezone });

/** One task for each due time, also when its submission is repeated: `web-up-20260306T090000Z`. */
export const scheduledTaskId = (name: string, due: string): string => `${name}-${due.replace(/[-:]|\.\d+(?=Z$)/g, "")}`;

/** The same at each try, so that a repeated submission is the same task. */
export const contractAt = ({ name, contract }: Pick<Schedule, "name" | "contract">, due: string): SentContract => ({
  ...contract,
  task_id: scheduledTaskId(name, due),
  requested_by: contract.requested_by ?? `schedule ${name}`,
  requested_at: due,
});

/** What a commit changes of its row. */
export type ScheduleChange =
  | { readonly on: "schedule_created"; readonly schedule: Schedule }
  | {
      readonly on: "schedule";
      readonly name: string;
      readonly expect: Pick<Schedule, "status" | "next_due" | "open_due" | "created_at">;
      readonly set: Partial<ScheduleState>;
    }
  | { readonly on: "schedule_deleted"; readonly name: string; readonly expect: Pick<Schedule, "created_at"> };

export interface KeptSchedules {
  findSchedule(name: string): Promise<Schedule | null>;
  /** By name; `after` is the last name of the previous page. */
  listSchedules(query: { readonly limit: number; readonly after?: string | undefined }): Promise<Schedule[]>;
  /** Those that are due at or before `at`, or whose task is being submitted, and when the next one after that is due. */
  dueSchedules(at: string): Promise<{ readonly due: Schedule[]; readonly next: string | null }>;
}

const PREFIX = "schedule/";

/** The thread of a schedule, which asks for no approval. */
export const scheduleThread = (name: string): string => `${PREFIX}${name}`;

/** Null for the thread of anything else. */
export const scheduleIn = (thread_id: string): string | null =>
  thread_id.startsWith(PREFIX) ? thread_id.slice(PREFIX.length) : null;
