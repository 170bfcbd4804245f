// Binds a handler to every shape. A shape without a handler, or a handler of another shape, does not compile.
import { z } from "zod";
import { machineZone } from "../config/values.ts";
import { isSameContract, SentContract } from "../domain/contract.ts";
import { type FieldIssue, OrchError } from "../domain/errors.ts";
import { digestOf } from "../domain/json.ts";
import { hasEnded } from "../domain/outcome.ts";
import { contractAt, isSameSchedule, type Schedule, type ScheduleDefinition } from "../domain/schedule.ts";
import { misplacedFields } from "../domain/unknown-fields.ts";
import { beginningOf, type GivenEvidence, MAX_EVIDENCE, type Verification } from "../domain/verification.ts";
import type { Commit } from "../ports.ts";
import {
  addSchedule as added,
  nextDue,
  pauseSchedule,
  removeSchedule,
  resumeSchedule,
  whenIssues,
} from "../tasks/schedule-changes.ts";
import { verifyIssues } from "../tasks/verify-by.ts";
import { handleApprove, handleListApprovals } from "./approvals.ts";
import { handleCancelTask } from "./cancel-task.ts";
import { handleCopySop } from "./copy-sop.ts";
import { handleResolveStep } from "./decide.ts";
import type { OperationDeps } from "./deps.ts";
import { handleGetEvidence, handleListAnchors } from "./evidence.ts";
import { handleExplain } from "./explain.ts";
import { handleFreeze, handleListFreezes, handleThaw } from "./freezes.ts";
import { handleGetApproval } from "./get-approval.ts";
import { handleGetDiagnosis } from "./get-diagnosis.ts";
import { handleGetGraph } from "./get-graph.ts";
import { handleGetScorecard, handleRebuildScorecard } from "./get-scorecard.ts";
import { handleListInbox } from "./inbox.ts";
import { handleListMessages } from "./list-messages.ts";
import { handleLookAtApproval } from "./look-at-approval.ts";
import {
  type AnyOperation,
  type Caller,
  invalidInput,
  leftOut,
  type OperationHandler,
  type WrongHere,
  withName,
} from "./operation.ts";
import { setBackAsked } from "./promotion-of-task.ts";
import { handleProposeSop } from "./propose-sop.ts";
import { handleProveSop } from "./prove-sop.ts";
import { handleGetTask, handleListTasks, handleReadJournal } from "./read-tasks.ts";
import { handleRollbackSop } from "./rollback-sop.ts";
import { handleDrainServer, handleGetServer, handleListServers } from "./servers.ts";
import type * as shapes from "./shapes/schedules.ts";
import { addSchedule } from "./shapes/schedules.ts";
import type { recordVerification } from "./shapes/tasks.ts";
import { SHAPES } from "./shapes.ts";
import { handleExportSop, handleGetSop, handleImportSop, handleListSops } from "./sops.ts";
import { completed, handleSubmitTask, intentIssues } from "./submit-task.ts";
import { taskOf, viewOf } from "./task-view.ts";
import { handleTeach } from "./teach.ts";

// Refuses a contract with a known field that is misplaced or misspelt, at the operations that take a contract. One that is stored was
// taken before, so it is taken again.

type Deps = Pick<OperationDeps, "store" | "intents">;

const wrongInSubmit =
  (deps: Deps): WrongHere =>
  async (input) => {
    const { wait_seconds: _wait, ...contract } = Fields.safeParse(input).data ?? {};
    return [...intentIssues(deps)(input), ...(await misplacedIn(contract, () => isStored(deps, contract)))];
  };

const wrongInExplain =
  (deps: Deps): WrongHere =>
  async (input) => {
    const { contract } = Fields.safeParse(input).data ?? {};
    return (await misplacedIn(contract, () => isStored(deps, contract))).map(inContract);
  };

const wrongInSchedule =
  (deps: Deps): WrongHere =>
  async (input) => {
    const { contract } = Fields.safeParse(input).data ?? {};
    return (await misplacedIn(contract, () => isScheduled(deps, input))).map(inContract);
  };

const Fields = z.record(z.string(), z.unknown());

const inContract = ({ path, message }: FieldIssue): FieldIssue => ({ path: `contract.${path}`, message });

async function misplacedIn(contract: unknown, isKnown: () => Promise<boolean>): Promise<FieldIssue[]> {
  const issues = misplacedFields(contract);
  return issues.length === 0 || (await isKnown()) ? [] : issues;
}

async function isStored({ store }: Deps, contract: unknown): Promise<boolean> {
  const { data: sent } = SentContract.safeParse(contract);
  const task = sent === undefined ? null : await store.findTask(sent.task_id);
  return sent !== undefined && task !== null && isSameContract(task.contract, completed(sent, task.contract));
}

async function isScheduled({ store }: Deps, input: unknown): Promise<boolean> {
  const { data: given } = addSchedule.input.safeParse(input);
  const found = given === undefined ? null : await store.findSchedule(given.name);
  return given !== undefined && found !== null && digestOf(found.contract) === digestOf(given.contract);
}

// Schedules: each change is one commit, after which the scheduler looks at what is due next.

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
  const { store, max_schedules, clock } = deps;
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
  void deps.schedules.arm();
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
    void deps.schedules.arm();
    return schedule;
  }
  throw new OrchError("busy", `Schedule ${name} changes all the time; try again.`);
}

// record_verification: the supervisor's own check of a finished task, with the evidence of it. Nothing of the evidence is opened or
// run here, and no secret of it is kept (D-306).

const MAX_SOURCE = 1024;
const MAX_NOTE = 4096;
/** Longer waits are left to the messages. */
const SCORING_MS = 2_000;

const handleRecordVerification: OperationHandler<typeof recordVerification> =
  (deps) =>
  async ({ task_id, verified, source, note = null, evidence }, caller) => {
    const { signal } = caller;
    const task = await taskOf(deps, task_id);
    // A mark may be longer than what it replaces.
    const kept = (text: string, most: number) => beginningOf(deps.redact(text), most);
    const body = {
      verified,
      source: kept(source, MAX_SOURCE),
      note: withName(note === null ? null : kept(note, MAX_NOTE), caller),
      ...(evidence !== undefined && { evidence: keptEvidence(evidence, (text) => kept(text, MAX_EVIDENCE)) }),
    };
    const result = await deps.store.commit({
      thread_id: task_id,
      after: "last",
      events: [{ kind: "verification_recorded", body }],
      changes: [
        {
          on: "task",
          task_id,
          expect: { status: ["ok", "failed", "blocked", "cancelled"] },
          set: { verification: { ...body, recorded_at: deps.clock().toISOString() } },
        },
      ],
    });
    if (result.ok) {
      // The version that it ran may be set back by it (D-294): the caller learns that at once. What fails here is tried again, and
      // then logged, by the keeper of the scores.
      await deps.scores.catchUp(SCORING_MS).catch(() => undefined);
      const recorded = await taskOf(deps, task_id);
      await setBackAsked(deps, recorded, signal);
      return viewOf(deps, recorded);
    }
    const message = hasEnded(task.status) ? "has just changed; look again" : "has not ended yet; verify it when it has";
    throw new OrchError("task_not_ended", `Task ${task_id} ${message}.`, {
      current: { task_id, status: task.status },
    });
  };

function keptEvidence(
  { text, url, command }: GivenEvidence,
  kept: (text: string) => string,
): NonNullable<Verification["evidence"]> {
  return {
    ...(text !== undefined && { text: kept(text) }),
    ...(url !== undefined && { url: kept(url) }),
    ...(command !== undefined && {
      command: { ...command, command: kept(command.command), output: kept(command.output) },
    }),
  };
}

const HANDLERS: { readonly [S in (typeof SHAPES)[number] as S["name"]]: OperationHandler<S> } = {
  submit_task: handleSubmitTask,
  get_task: handleGetTask,
  list_tasks: handleListTasks,
  cancel_task: handleCancelTask,
  teach: handleTeach,
  approve: handleApprove,
  list_approvals: handleListApprovals,
  get_approval: handleGetApproval,
  look_at_approval: handleLookAtApproval,
  resolve_step: handleResolveStep,
  explain: handleExplain,
  list_sops: handleListSops,
  get_sop: handleGetSop,
  export_sop: handleExportSop,
  import_sop: handleImportSop,
  propose_sop: handleProposeSop,
  prove_sop: handleProveSop,
  copy_sop: handleCopySop,
  rollback_sop: handleRollbackSop,
  get_evidence: handleGetEvidence,
  read_journal: handleReadJournal,
  list_anchors: handleListAnchors,
  get_graph: handleGetGraph,
  record_verification: handleRecordVerification,
  list_messages: handleListMessages,
  list_inbox: handleListInbox,
  get_scorecard: handleGetScorecard,
  rebuild_scorecard: handleRebuildScorecard,
  add_schedule: handleAddSchedule,
  list_schedules: handleListSchedules,
  get_schedule: handleGetSchedule,
  pause_schedule: handlePauseSchedule,
  resume_schedule: handleResumeSchedule,
  remove_schedule: handleRemoveSchedule,
  list_servers: handleListServers,
  get_server: handleGetServer,
  drain_server: handleDrainServer,
  get_diagnosis: handleGetDiagnosis,
  freeze: handleFreeze,
  thaw: handleThaw,
  list_freezes: handleListFreezes,
};

export const operationsTable = (deps: OperationDeps): readonly AnyOperation[] =>
  SHAPES.map((shape) => ({
    ...shape,
    handle: HANDLERS[shape.name](deps),
    wrongHere: WRONG_HERE[shape.name]?.(deps),
  }));

const WRONG_HERE: { readonly [name: string]: (deps: OperationDeps) => WrongHere } = {
  submit_task: wrongInSubmit,
  explain: wrongInExplain,
  add_schedule: wrongInSchedule,
  teach: (deps) => async (input) => intentIssues(deps)(input),
};
