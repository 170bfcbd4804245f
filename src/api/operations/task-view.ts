// Makes the view of a task from its row and its journal: its steps, what it waits for, and what is to come of its check from outside.
import type { AgentCall } from "../../domain/agent-events.ts";
import { labelsWithoutServer, neededHere, READ_ONLY_INTENTS, servesLabels } from "../../domain/contract.ts";
import { OrchError } from "../../domain/errors.ts";
import { type HeldBy, heldText } from "../../domain/hold.ts";
import { canRead, JOURNAL_LEVEL, levelWithoutServer } from "../../domain/journal.ts";
import { advice, call, type NextAction } from "../../domain/next-action.ts";
import { hasEnded, isPaused, LABELS, nextByReason, outcomeOf } from "../../domain/outcome.ts";
import type { Server } from "../../domain/server.ts";
import type { StepResult } from "../../domain/step.ts";
import { commandText, sentStep } from "../../domain/step-run.ts";
import type { Task } from "../../domain/task.ts";
import { ignoredFields } from "../../domain/unknown-fields.ts";
import { diagnosticId, owedSince, type Verification, verifiedAt } from "../../domain/verification.ts";
import { type OpenPromotion, openPromotion, setBackOfTask } from "../../engine/tasks/active-sop.ts";
import { hasStarted } from "../../engine/tasks/progress.ts";
import { type Projection, projection } from "../../engine/tasks/projection.ts";
import { stepResultsOf } from "../../engine/tasks/steps-fold.ts";
import type { OperationDeps } from "./deps.ts";
import { askedBy, type Patience, settled } from "./operation.ts";
import type { TaskSummary, TaskView } from "./shapes/task-view.ts";

type Deps = Pick<OperationDeps, "store" | "locks" | "labels" | "dispatcher" | "task_holds" | "backendOf">;

type Waits = Omit<Causes, "queued_behind">;

export function summaryOf(deps: Pick<Deps, "locks" | "labels" | "dispatcher">, task: Task, waits: Waits): TaskSummary {
  const { contract, contract_digest: _digest, owner: _owner, lease_expires_at: _lease, verification, ...shown } = task;
  const inLine = !hasEnded(task.status) && !isPaused(task.status) && !READ_ONLY_INTENTS.has(task.intent);
  const holder = inLine ? deps.locks.holderOf(task.target_signature) : null;
  const queued_behind = holder === task.task_id ? null : holder;
  return {
    ...shown,
    target: contract.target,
    outcome: outcomeOf(task),
    verification: withoutEvidence(verification),
    label: LABELS[task.status],
    next: [...nextOf(task, waits), ...(queued_behind === null ? [] : [lookAt(queued_behind)])],
    queued_behind,
    ...waits,
    ...waitingOf(deps, task, { ...waits, queued_behind }),
  };
}

/** The task before it may wait for an answer, and keeps the target until then. */
const lookAt = (task_id: string): NextAction =>
  call("get_task", { task_id }, `See whether ${task_id}, which holds the target, waits for an answer.`);

const NO_FACTS = { approval_id: null, step_index: null };

/** In a list it would be most of what is sent. */
function withoutEvidence(verification: Verification | null): TaskSummary["verification"] {
  if (verification === null) return null;
  const { evidence: _evidence, ...recorded } = verification;
  return recorded;
}

function nextOf(task: Task, { queued_for, held_by_freeze, needs_level }: Waits): NextAction[] {
  if (needs_level !== null) return [NEWER_SERVER];
  if (held_by_freeze !== null) return [SEE_FREEZES, waitFor(task.task_id)];
  return queued_for === null ? nextFor(task) : nextByReason("no_server", { ...NO_FACTS, thread_id: task.task_id });
}

function nextFor(task: Task): NextAction[] {
  const { task_id, outcome, verification } = task;
  const isVerified = outcome?.reason_code === "verified" || outcome?.reason_code === "already_done";
  if (isVerified && verification !== null) return afterVerification(verification);
  return outcomeOf(task)?.next ?? [waitFor(task_id)];
}

const NEWER_SERVER = call(
  "list_servers",
  {},
  "See which levels the servers have. Start one that has the level of the task, or update one.",
);

const waitFor = (task_id: string): NextAction => ({
  operation: "get_task",
  arguments: { task_id, wait_seconds: 20 },
  text: "Wait until the task ends or needs an answer.",
});

export async function viewOf(deps: Deps, task: Task): Promise<TaskView> {
  if (!canRead(JOURNAL_LEVEL, task.needs_level)) throw await unreadHere(deps, task);
  return viewFrom(deps, task, projection(await deps.store.readJournal(task.task_id)));
}

/** What is known of it without its journal is in the answer. */
async function unreadHere(deps: Deps, task: Task): Promise<OrchError> {
  const needs_level = await waitsForLevel(deps)(task);
  const others = needs_level === null ? "another server can" : "no live server can";
  const message = `Task ${task.task_id} needs a server of level ${task.needs_level} to be read: this one has ${JOURNAL_LEVEL}, and ${others}.`;
  const fix =
    needs_level === null ? "ask that server, or update this one" : "start a server of a newer version, or update one";
  const current = summaryOf(deps, task, { queued_for: null, held_by_freeze: null, needs_level });
  return new OrchError("journal_newer", message, { fix, current });
}

export async function viewFrom(deps: Deps, task: Task, state: Projection): Promise<TaskView> {
  const { progress, end } = state.skill;
  const result = end?.result ?? resultOfAgent(state);
  const steps = [...planned(task, state), ...bySkill(task, state), ...byAgent(task, state)];
  const held_by_freeze = heldBy(deps, task, state);
  const waits = { queued_for: await waitsForLabels(deps)(task), held_by_freeze, needs_level: null };
  const summary = summaryOf(deps, task, waits);
  const ignored = ignoredFields(task.contract);
  const promotion = (await openPromotion(deps.store, state)) ?? (await setBackOfTask(deps.store, task));
  const verify = verifyPlan(task, state);
  // Something is to be done after all.
  const others = summary.next.filter(({ operation }) => operation !== null || promotion?.is_set_back !== true);
  const next = [...(promotion === null ? [] : promotionActions(promotion)), ...toCome(task, verify), ...others];
  return {
    ...summary,
    next,
    verification: task.verification,
    verify,
    steps,
    checks: shownChecks(state),
    waits_for: waitOf(deps, task, state),
    progress,
    result,
    ...(ignored !== null && { ignored }),
  };
}

/** As it is on record, with the count of this server, which grows without a record. */
function waitOf({ backendOf }: Deps, { status, contract }: Task, { jobs }: Projection): TaskView["waits_for"] {
  if (jobs.wait === null || status !== "running") return null;
  const { job_id, tries, ...wait } = jobs.wait;
  return { ...wait, tries: Math.max(tries, backendOf(contract)?.triesFor?.(job_id) ?? 0) };
}

/** Once it has ended or paused. A caller that waits for the end of a taught task learns which approval its promotion needs. */
export async function viewAfterWait(
  deps: Deps & Pick<OperationDeps, "nextReport">,
  task_id: string,
  patience: Patience,
): Promise<TaskView> {
  const task = (await settled(deps, task_id, patience)) ?? (await taskOf(deps, task_id));
  if (patience.wait_seconds > 0 && hasEnded(task.status)) await promotionAsked(deps, task_id, patience.signal);
  return viewOf(deps, task);
}

const shownChecks = ({ verdict }: Projection): TaskView["checks"] =>
  (verdict?.checks ?? []).map(({ proof, ...check }) => ({
    ...check,
    proof: proof?.class ?? null,
    seen_red: proof?.seen_red ?? [],
    change: proof?.change ?? null,
    reason: proof?.reason ?? null,
  }));

function planned(task: Task, state: Projection): TaskView["steps"] {
  const steps = state.procedure?.steps ?? [];
  const results = new Map(stepResultsOf(state.steps, steps).map((result) => [result.index, result]));
  return steps.map((step, index) => {
    const result = results.get(index);
    return {
      index,
      kind: step.kind,
      command: commandText(sentStep(step, task.contract)),
      status: shownStatus(task, result),
      attempt: result?.attempt ?? null,
      exit_code: result?.exit_code ?? null,
      duration_ms: result?.duration_ms ?? null,
      late_result: lateOf(task, state, index),
    };
  });
}

/** For who resolves it: nothing follows from it. */
function lateOf({ status }: Task, { steps }: Projection, index: number): string | null {
  const { state, late = null } = steps.records.get(index) ?? {};
  return state === "started" && !hasEnded(status) ? (late?.message ?? null) : null;
}

/** A skill may take any number of steps; all of them are in the evidence. */
const MAX_SHOWN = 200;

const bySkill = (task: Task, { skill }: Projection): TaskView["steps"] =>
  skill.steps.slice(-MAX_SHOWN).map(({ index, name, state, attempt, duration_ms }) => {
    const status = state === "passed" || state === "failed" ? state : "outcome_unknown";
    const shown = { index, kind: "skill", command: name, attempt, exit_code: null, duration_ms, late_result: null };
    return { ...shown, status: shownStatus(task, { status }) };
  });

const byAgent = (task: Task, state: Projection): TaskView["steps"] =>
  state.agent.calls
    .filter(({ name, step }) => step !== null || name !== "finish")
    .slice(-MAX_SHOWN)
    .map(({ index, name, state: call_state, step, attempt, result }) => ({
      index,
      kind: step?.kind ?? name,
      command: step === null ? name : commandText(step),
      status: STATUS_OF[call_state] ?? shownStatus(task, result ?? undefined),
      attempt: result === null ? null : attempt,
      exit_code: result?.exit_code ?? null,
      duration_ms: result?.duration_ms ?? null,
      late_result: lateOf(task, state, index),
    }));

/** Of calls that come to no step, or to none that is made. */
const STATUS_OF: Partial<Record<AgentCall["state"], StepResult["status"]>> = {
  refused: "blocked",
  rejected: "blocked",
  faulty: "skipped",
};

/** In the words of the agent. */
const resultOfAgent = ({ agent }: Projection): TaskView["result"] =>
  agent.finished === null ? null : { summary: agent.finished.summary };

// What is started and not finished is running, unless its task has stopped.
function shownStatus(
  { status, outcome }: Task,
  result: Pick<StepResult, "status"> | undefined,
): StepResult["status"] | "pending" | "running" {
  if (result === undefined) return outcome?.reason_code === "already_done" ? "skipped" : "pending";
  return result.status === "outcome_unknown" && status === "running" ? "running" : result.status;
}

export async function taskOf({ store }: Pick<Deps, "store">, task_id: string): Promise<Task> {
  const task = await store.findTask(task_id);
  if (task === null) throw new OrchError("task_not_found", `There is no task ${task_id}.`);
  return task;
}

// What a task's view says of its check from outside: what the contract wants, what is to come, and what follows from it.

function verifyPlan({ contract, status, ended_at }: Task, state: Projection): TaskView["verify"] {
  const { verify_by = null, verify_within_hours, task_id } = contract;
  if (verify_by === null && verify_within_hours === undefined) return null;
  const done_at = status === "ok" ? ended_at : null;
  return {
    by: verify_by,
    task_id: verify_by === null ? null : diagnosticId(task_id),
    at: verify_by === null || done_at === null ? null : verifiedAt(contract, done_at),
    owed_since: done_at === null ? null : owedSince(contract, done_at),
    missed: state.verification.missed?.message ?? null,
  };
}

/** Before what the supervisor may do itself. */
function toCome({ verification }: Task, plan: TaskView["verify"]): NextAction[] {
  if (plan === null || plan.at === null || verification !== null) return [];
  if (plan.missed !== null) return [advice(plan.missed)];
  return [advice(`Nothing yet: ${plan.by} verifies it as task ${plan.task_id}, from ${plan.at} on.`)];
}

function afterVerification({ verified, verified_by, evidence }: Verification): NextAction[] {
  if (verified_by === undefined) return [advice("Nothing: your own check is recorded.")];
  if (verified) return [advice(`Nothing: ${verified_by} has verified it.`)];
  const { task_id = "" } = evidence ?? {};
  return [
    call("get_evidence", { task_id }, `Read what ${verified_by} saw: it refutes that the task is done.`),
    advice("If it is wrong, look yourself and record that: the last check counts."),
  ];
}

// What the supervisor may do about the open promotion of a task: its candidate, and the approval that asks for it.

type Waiting = Pick<OperationDeps, "store" | "nextReport">;

/** Resolves once the approval of the version that the task ran and that was set back can be decided on. */
export async function setBackAsked(deps: Waiting, task: Task, signal: AbortSignal): Promise<void> {
  const open = await setBackOfTask(deps.store, task);
  if (open !== null && open.approval_id === null) await askedBy(deps, open.thread_id, signal);
}

/** The open promotion of the task, once its approval waits for the decision; the wait is a few seconds at most. */
export async function promotionAsked(
  deps: Waiting,
  task_id: string,
  signal: AbortSignal,
): Promise<OpenPromotion | null> {
  const promotion = await openPromotion(deps.store, projection(await deps.store.readJournal(task_id)));
  if (promotion === null || promotion.approval_id !== null) return promotion;
  const approval = await askedBy(deps, promotion.thread_id, signal);
  return { ...promotion, approval_id: approval?.approval_id ?? null };
}

/** What the supervisor may do about it, first of all. */
function promotionActions({ thread_id, version, approval_id, is_set_back, asks }: OpenPromotion): NextAction[] {
  const read = call(
    "list_approvals",
    { thread_id },
    approval_id === null
      ? `Version ${version} will ask for its promotion as soon as its checks have been looked at: then read the approval here.`
      : `Read what the ${is_set_back ? "approval" : "promotion"} of version ${version} covers.`,
  );
  const decide = (id: string) =>
    call(
      "approve",
      { approval_id: id },
      `Version ${version} ${asks}: show the approval to a human and pass on the decision. Until then no other task runs it.`,
    );
  return approval_id === null ? [read] : [decide(approval_id), read];
}

// Says what holds a task up that is to run: a freeze, another task on its target, labels (D-323), the level of its journal (D-329), or no slot.

type WaitingDeps = Pick<OperationDeps, "store" | "labels">;

/** What is known of each cause; null where it does not hold the task. */
export type Causes = Pick<TaskSummary, "held_by_freeze" | "queued_behind" | "queued_for" | "needs_level">;

type WaitingTask = Pick<TaskSummary, "waiting_for" | "waiting_text">;

type Here = Pick<OperationDeps, "labels"> & {
  readonly dispatcher: Pick<OperationDeps["dispatcher"], "isFull" | "isLeaving">;
};

/** The first cause that holds it. A task that runs, or is to start in a moment, waits for nothing. */
export function waitingOf(here: Here, task: Task, causes: Causes): WaitingTask {
  const { held_by_freeze, queued_behind, queued_for, needs_level } = causes;
  if (!isToRun(task)) return NOTHING;
  if (held_by_freeze !== null) return { waiting_for: "freeze", waiting_text: freezeSentence(held_by_freeze) };
  if (queued_behind !== null)
    return {
      waiting_for: "target",
      waiting_text: `Waits for task ${queued_behind}, which goes first on the same target.`,
    };
  if (queued_for !== null)
    return { waiting_for: "labels", waiting_text: `Waits for a server with ${labelsText(queued_for)}.` };
  if (needs_level !== null)
    return {
      waiting_for: "server",
      waiting_text: `Waits for a server that can read its journal, of level ${needs_level}.`,
    };
  return task.status === "accepted" && task.owner === null ? waitingForSlot(here, task) : NOTHING;
}

const NOTHING: WaitingTask = { waiting_for: null, waiting_text: null };

/** A live server has its labels. Whether another one has a free slot is not known here. */
function waitingForSlot({ labels, dispatcher }: Here, task: Task): WaitingTask {
  const needed = neededHere(task);
  if (needed !== null && !servesLabels(labels, needed))
    return { waiting_for: "slot", waiting_text: `Waits for a free slot on a server with ${labelsText(needed)}.` };
  if (dispatcher.isLeaving())
    return { waiting_for: "server", waiting_text: "Waits for another server, as this one is stopping." };
  return dispatcher.isFull() ? { waiting_for: "slot", waiting_text: "Waits for a free slot." } : NOTHING;
}

const MOST_WORDS = 12;

/** Its reason may be long, and of several lines. */
function freezeSentence(held_by: HeldBy): string {
  const words = held_by.reason.trim().split(/\s+/);
  const reason = words.slice(0, MOST_WORDS).join(" ");
  const sentence = heldText({ ...held_by, reason }).replace("held", "Held");
  if (words.length > MOST_WORDS) return `${sentence} ...`;
  return /[.!?]$/.test(reason) ? sentence : `${sentence}.`;
}

const labelsText = (labels: readonly string[]): string =>
  `the ${labels.length === 1 ? "label" : "labels"} ${labels.join(", ")}`;

const isToRun = ({ status }: Pick<Task, "status">): boolean => status === "accepted" || status === "running";

// A freeze holds only what has not begun.

const heldBy = (deps: Pick<OperationDeps, "task_holds">, task: Task, state: Projection): HeldBy | null =>
  hasStarted(state) ? null : heldUnlessBegun(deps, task);

/** The same of a row: nothing is read while nothing is frozen, or of a task that was never claimed. */
export async function heldByOf({ task_holds, store }: Pick<OperationDeps, "task_holds" | "store">, task: Task) {
  const held = heldUnlessBegun({ task_holds }, task);
  if (held === null || task.status === "accepted") return held;
  return (await hasBegun(store, task)) ? null : held;
}

/** Of a journal that cannot be read it is not known. */
export const hasBegun = (store: OperationDeps["store"], { task_id }: Pick<Task, "task_id">): Promise<boolean> =>
  store.readJournal(task_id).then(
    (journal) => hasStarted(projection(journal)),
    () => true,
  );

const heldUnlessBegun = ({ task_holds }: Pick<OperationDeps, "task_holds">, task: Task): HeldBy | null =>
  isToRun(task) ? task_holds.holdOn(task) : null;

const SEE_FREEZES: NextAction = {
  operation: "list_freezes",
  arguments: {},
  text: "A freeze holds it; it starts by itself once that is over. Ask a human before anything is thawed.",
};

// What no live server has.

/** The level that it needs of a server, where none that lives has it. */
export function waitsForLevel({ store }: Pick<WaitingDeps, "store">) {
  let live: Promise<readonly Server[]> | null = null;
  return async ({ needs_level }: Pick<Task, "needs_level">): Promise<number | null> => {
    if (canRead(JOURNAL_LEVEL, needs_level)) return null;
    live ??= store.listServers();
    return levelWithoutServer(await live, needs_level);
  };
}

/** Reads the servers once for a list of tasks, and not at all where this one has what each of them needs. */
export function waitsForLabels({ store, labels }: WaitingDeps) {
  let live: Promise<readonly Server[]> | null = null;
  return async (task: Pick<Task, "status" | "owner" | "backend" | "runs_on">): Promise<string[] | null> => {
    if (!isToRun(task) || servesLabels(labels, neededHere(task))) return null;
    live ??= store.listServers();
    return labelsWithoutServer(await live, task);
  };
}
