// Makes the view of a task from its row and its journal, with what is to come of its check from outside.
import { isAsked } from "../domain/approval.ts";
import { labelsWithoutServer, neededHere, READ_ONLY_INTENTS, servesLabels } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import { type HeldBy, heldText } from "../domain/hold.ts";
import { canRead, JOURNAL_LEVEL, levelWithoutServer } from "../domain/journal.ts";
import { advice, call, type NextAction } from "../domain/next-action.ts";
import { hasEnded, isPaused, LABELS, nextByReason, outcomeOf } from "../domain/outcome.ts";
import type { Server } from "../domain/server.ts";
import { isSetBack, type Sop } from "../domain/sop.ts";
import type { Task } from "../domain/task.ts";
import { promotionThread } from "../domain/thread-id.ts";
import { ignoredFields } from "../domain/unknown-fields.ts";
import { diagnosticId, owedSince, type Verification, verifiedAt } from "../domain/verification.ts";
import type { Store } from "../ports.ts";
import { hasStarted } from "../tasks/progress.ts";
import { type Projection, projection } from "../tasks/projection.ts";
import type { OperationDeps } from "./deps.ts";
import { askedBy, type Patience, settled } from "./operation.ts";
import type { TaskSummary, TaskView } from "./shapes/task-view.ts";
import { shownSteps } from "./task-steps.ts";

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
  const held_by_freeze = heldBy(deps, task, state);
  const waits = { queued_for: await waitsForLabels(deps)(task), held_by_freeze, needs_level: null };
  const summary = summaryOf(deps, task, waits);
  const ignored = ignoredFields(task.contract);
  const promotion = (await openPromotion(deps, state)) ?? (await setBackOfTask(deps, task));
  const verify = verifyPlan(task, state);
  // Something is to be done after all.
  const others = summary.next.filter(({ operation }) => operation !== null || promotion?.is_set_back !== true);
  const next = [...(promotion === null ? [] : promotionActions(promotion)), ...toCome(task, verify), ...others];
  return {
    ...summary,
    next,
    verification: task.verification,
    verify,
    steps: shownSteps(task, state),
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

/** In the words of the agent. */
const resultOfAgent = ({ agent }: Projection): TaskView["result"] =>
  agent.finished === null ? null : { summary: agent.finished.summary };

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

// Finds the open promotion of a task: its candidate, and the approval that asks for it.

type PromotionDeps = Pick<OperationDeps, "store">;
type Waiting = Pick<OperationDeps, "store" | "nextReport">;

/** `approval_id` is null until the checks of the version have been looked at. */
type OpenPromotion = {
  readonly thread_id: string;
  readonly sop_id: string;
  readonly version: Sop["version"];
  readonly is_set_back: boolean;
  /** Why it asks, as a clause. */
  readonly asks: string;
  readonly approval_id: string | null;
};

/** Returns null if the task left no candidate, or if its candidate is settled. A first run without a proof also leaves a candidate. */
async function openPromotion({ store }: PromotionDeps, state: Projection): Promise<OpenPromotion | null> {
  const leavesOne = state.is_taught || state.agent.finished !== null || state.procedure?.on_trial === true;
  const stored = leavesOne ? state.versions.changes.findLast(({ status }) => status === "candidate") : undefined;
  const sop = stored === undefined ? null : await store.findSop(stored.sop_id);
  return sop === null || sop.status !== "candidate" ? null : promotionOf(store, sop);
}

/** The same, once its approval can be decided on. */
export async function setBackAsked(deps: Waiting, task: Task, signal: AbortSignal): Promise<void> {
  const open = await setBackOfTask(deps, task);
  if (open !== null && open.approval_id === null) await askedBy(deps, open.thread_id, signal);
}

/** Null unless the version that the task ran was set back, for which this task may be a reason. */
async function setBackOfTask(
  { store }: PromotionDeps,
  { sop_id, status, verification }: Pick<Task, "sop_id" | "status" | "verification">,
): Promise<OpenPromotion | null> {
  const isReason = status === "failed" || verification !== null;
  const sop = sop_id !== null && isReason ? await store.findSop(sop_id) : null;
  return sop !== null && isSetBack(sop) ? promotionOf(store, sop) : null;
}

async function promotionOf(store: Store, sop: Sop): Promise<OpenPromotion> {
  const { sop_id, version, promotion_round } = sop;
  const thread_id = promotionThread(sop_id, promotion_round);
  const [asked] = await store.listApprovals({ thread_id, status: "pending", limit: 1 });
  const approval_id = asked !== undefined && isAsked(asked) ? asked.approval_id : null;
  const lost = asked !== undefined && "set_back" in asked.content && asked.content.set_back !== undefined;
  const is_set_back = isSetBack(sop);
  const asks = !is_set_back ? FIRST : lost || asked === undefined ? AGAIN : KEPT;
  return { thread_id, sop_id, version, is_set_back, asks, approval_id };
}

const FIRST = "asks for its promotion";
const AGAIN = "was set back, and asks to be used again";
const KEPT = "passed its first run without a proof, and asks to be kept";

/** The same, once its approval waits for the decision; the wait is a few seconds at most. */
export async function promotionAsked(
  deps: Waiting,
  task_id: string,
  signal: AbortSignal,
): Promise<OpenPromotion | null> {
  const promotion = await openPromotion(deps, projection(await deps.store.readJournal(task_id)));
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
