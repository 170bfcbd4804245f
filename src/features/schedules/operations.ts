// Answers add_schedule, list_schedules, get_schedule, pause_schedule, resume_schedule and remove_schedule: each change is
// one commit, of which the scheduler hears.

import type { OperationDeps } from "../../api/operations/deps.ts";
import { handleExplain } from "../../api/operations/explain.ts";
import {
  type Caller,
  type HandlersOf,
  invalidInput,
  leftOut,
  type OperationHandler,
  type OperationRules,
  type WrongHere,
} from "../../api/operations/operation.ts";
import { Fields, inContract, intentIssues, misplacedIn } from "../../api/operations/submit-task.ts";
import { machineZone } from "../../config/values.ts";
import { SentContract } from "../../domain/contract.ts";
import { type FieldIssue, OrchError } from "../../domain/errors.ts";
import { digestOf } from "../../domain/json.ts";
import { verifyIssues } from "../../engine/tasks/admission.ts";
import type { Commit } from "../../ports.ts";
import { addSchedule as added, pauseSchedule, removeSchedule, resumeSchedule } from "./changes.ts";
import { nextDue, whenIssues } from "./due.ts";
import { contractAt, isSameSchedule, type Schedule, type ScheduleDefinition } from "./schedule.ts";
import type * as shapes from "./shapes.ts";
import { addSchedule } from "./shapes.ts";

const handleAddSchedule: OperationHandler<typeof shapes.addSchedule> =
  (deps) =>
  async ({ name, contract, every = null, cron = null, timezone = null }, caller) => {
    const now = deps.clock();
    const zone = cron === null ? timezone : (timezone ?? machineZone().zone);
    const given = { name, contract, every, cron, timezone: zone };
    const wishes = SentContract.safeParse(contractAt(given, now.toISOString())).data;
    const unverifiable = wishes === undefined ? [] : verifyIssues(deps, wishes);
    refuse([...[...intentIssues(deps)(contract), ...unverifiable].map(inContract), ...whenIssues(given, now)]);
    const schedule = (await existing(deps, given)) ?? (await create(deps, given, now));
    return { schedule, ...(await explained(deps, schedule, caller)) };
  };

function refuse(issues: readonly FieldIssue[]): void {
  if (issues.length > 0) throw invalidInput({ name: "add_schedule" }, issues);
}

/** The same schedule again has no further effect: the answer to the first may have been lost. */
async function existing({ store }: OperationDeps, given: ScheduleDefinition): Promise<Schedule | null> {
  const found = await store.findSchedule(given.name);
  if (found === null || isSameSchedule(found, given)) return found;
  const message = `Schedule ${given.name} exists with another contract or time; remove it first, or use another name.`;
  throw new OrchError("schedule_exists", message, { current: found });
}

async function create(deps: OperationDeps, given: ScheduleDefinition, now: Date): Promise<Schedule> {
  const { store, clock } = deps;
  const max_schedules = deps.settings.schedules;
  const known = await store.listSchedules({ limit: max_schedules });
  if (known.length >= max_schedules) {
    const message = `There may be ${max_schedules} schedules; remove one, or raise ORCH_SCHEDULES.`;
    throw new OrchError("schedule_limit", message);
  }
  const at = clock().toISOString();
  const { schedule, commit } = added(given, nextDue(given, at, now), at);
  if (!(await store.commit(commit)).ok) {
    const found = await existing(deps, given);
    if (found !== null) return found;
  }
  return schedule;
}

/** What would become of a task of it now: nothing is refused for that, because a procedure may be taught later. */
async function explained(deps: OperationDeps, schedule: Schedule, caller: Caller) {
  const contract = contractAt(schedule, deps.clock().toISOString());
  const { would, why, steps, ignored } = await handleExplain(deps)({ contract }, caller);
  const blocked = steps.flatMap(({ findings }) => findings).find(({ verdict }) => verdict === "block");
  const obstacle = why ?? (would === "block" ? (blocked?.reason ?? null) : null);
  return { would, why: obstacle, ...(ignored !== undefined && { ignored }) };
}

const handleListSchedules: OperationHandler<typeof shapes.listSchedules> = (deps) => async (query) => {
  const schedules = await deps.store.listSchedules(query);
  const next_after = schedules.length === query.limit ? (schedules.at(-1)?.name ?? null) : null;
  return { schedules, next_after, quarantined: leftOut(deps, "schedule") };
};

const handleGetSchedule: OperationHandler<typeof shapes.getSchedule> =
  (deps) =>
  async ({ name }) => ({ schedule: await scheduleOf(deps, name) });

async function scheduleOf({ store }: Pick<OperationDeps, "store">, name: string): Promise<Schedule> {
  const found = await store.findSchedule(name);
  if (found === null) throw new OrchError("schedule_not_found", `There is no schedule ${name}.`);
  return found;
}

const turned =
  (to: Schedule["status"], commitOf: (deps: OperationDeps, schedule: Schedule) => Commit) =>
  (deps: OperationDeps) =>
  async ({ name }: Pick<Schedule, "name">) => {
    await change(deps, name, (schedule) => (schedule.status === to ? null : commitOf(deps, schedule)));
    return { schedule: await scheduleOf(deps, name) };
  };

const handlePauseSchedule: OperationHandler<typeof shapes.pauseSchedule> = turned("paused", (_deps, schedule) =>
  pauseSchedule(schedule),
);

const handleResumeSchedule: OperationHandler<typeof shapes.resumeSchedule> = turned("active", ({ clock }, schedule) =>
  resumeSchedule(schedule, nextDue(schedule, schedule.created_at, clock())),
);

const handleRemoveSchedule: OperationHandler<typeof shapes.removeSchedule> =
  (deps) =>
  async ({ name }) => ({ schedule: await change(deps, name, removeSchedule) });

const TRIES = 10;

/** A due time may be recorded meanwhile: then the schedule is read again. */
async function change(deps: OperationDeps, name: string, commitOf: (schedule: Schedule) => Commit | null) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const schedule = await scheduleOf(deps, name);
    const commit = commitOf(schedule);
    if (commit === null) return schedule;
    if (!(await deps.store.commit(commit)).ok) continue;
    return schedule;
  }
  throw new OrchError("busy", `Schedule ${name} changes all the time; try again.`);
}

/** A contract with a misplaced field is refused, but for that of a schedule that was taken before. */
const wrongInSchedule =
  (deps: Pick<OperationDeps, "store">): WrongHere =>
  async (input) => {
    const { contract } = Fields.safeParse(input).data ?? {};
    return (await misplacedIn(contract, () => isScheduled(deps, input))).map(inContract);
  };

async function isScheduled({ store }: Pick<OperationDeps, "store">, input: unknown): Promise<boolean> {
  const { data: given } = addSchedule.input.safeParse(input);
  const found = given === undefined ? null : await store.findSchedule(given.name);
  return given !== undefined && found !== null && digestOf(found.contract) === digestOf(given.contract);
}

export const SCHEDULE_HANDLERS: HandlersOf<typeof shapes.SCHEDULE_SHAPES> = {
  add_schedule: handleAddSchedule,
  list_schedules: handleListSchedules,
  get_schedule: handleGetSchedule,
  pause_schedule: handlePauseSchedule,
  resume_schedule: handleResumeSchedule,
  remove_schedule: handleRemoveSchedule,
};

export const SCHEDULE_RULES: OperationRules = { add_schedule: wrongInSchedule };
