// Follows the progress of a procedure. It makes a restart safe: a finished step never runs again, and a step with a recorded start but no
// recorded end runs again only when it changes nothing (D-013).
import type { TaskContract } from "../../domain/contract.ts";
import { type CommandDelivery, deliveryOf, reportsLostAnswer } from "../../domain/failure-signs.ts";
import { call, type NextAction } from "../../domain/next-action.ts";
import { hasEnded } from "../../domain/outcome.ts";
import type { LateResult } from "../../domain/reconcile.ts";
import { type Job, type JobEnd, wasAccepted } from "../../domain/run-request.ts";
import { isCheck, type Step, type StepResult } from "../../domain/step.ts";
import { isIdempotent, isPause, pauses } from "../../domain/step-run.ts";
import { openJobOf } from "../../features/flow-engine/fold.ts";
import type { ExecutionBackend, StepObserver, ToolServers } from "../../ports.ts";
import type { JudgedStep } from "../policy/judge-plan.ts";
import { judged, type PlanDeps } from "./plan.ts";
import type { Projection } from "./projection.ts";

export type StepProgress =
  /**
   * `started_at` is the start of an interrupted check or wait. With `job`, the step belongs to that job of the flow
   * engine, and the backend looks for the job.
   */
  | {
      readonly is: "ready";
      readonly index: number;
      readonly attempt: number;
      readonly started_at?: string;
      readonly job?: Job | undefined;
    }
  /** The step failed. `settled` means that the supervisor decided this, so orch does not classify the failure. */
  | { readonly is: "broken"; readonly index: number; readonly attempt: number; readonly settled: boolean }
  | { readonly is: "outcome_unknown"; readonly index: number; readonly attempt: number }
  | { readonly is: "completed" };

/** Whether the step may run again after a stop: it changes nothing. Of a check that was asked about, policy knows that it does. */
function changesNothing({ findings }: Pick<Projection, "findings">, kind: string | undefined, index: number) {
  if (kind !== undefined && pauses(kind)) return true;
  const isAsked = findings.some(({ step_index, code }) => step_index === index && code === "read_only.changes_state");
  return kind === "check" && !isAsked;
}

export function progressOf(projection: Projection, plan: readonly Step[]): StepProgress {
  const { steps, jobs } = projection;
  const index = steps.passed;
  const step = plan[index];
  if (step === undefined) {
    if (jobs.failure === null) return { is: "completed" };
    return { is: "broken", index: steps.last, attempt: steps.records.get(steps.last)?.attempt ?? 1, settled: true };
  }
  const record = steps.records.get(index);
  if (record === undefined) return { is: "ready", index, attempt: 1 };
  const { attempt, state, settled, started_at, repeatable, job } = record;
  if (state === "again") return { is: "ready", index, attempt: attempt + 1 };
  if (state === "failed") return { is: "broken", index, attempt, settled };
  if (state === "started" && job !== undefined) return { is: "ready", index, attempt, started_at, job };
  const isHarmless = changesNothing(projection, step.kind, index) || repeatable;
  if (state === "started" && isHarmless) return { is: "ready", index, attempt, started_at };
  return { is: "outcome_unknown", index, attempt };
}

/** True when a step may have had an effect. From then on, no other task may use the target (D-012). */
export const hasStarted = ({ steps, skill }: Projection): boolean => skill.has_acted || steps.starts.length > 0;

export type StepInFlight = { readonly index: number; readonly attempt: number };

/** It may have had its effect. A check and a wait change nothing, and a step that may be repeated does no harm (D-013). */
export function stepInFlight(projection: Projection): StepInFlight | null {
  const { procedure, skill, steps, agent } = projection;
  const act = skill.steps.find(({ state, repeatable }) => state === "cut_off" && !repeatable);
  if (act !== undefined) return { index: act.index, attempt: act.attempt };
  for (const { index, attempt, state, repeatable } of steps.records.values()) {
    const kind = (procedure?.steps[index] ?? agent.calls[index]?.step)?.kind;
    const isHarmless = changesNothing(projection, kind, index) || repeatable;
    if (state === "unknown" || (state === "started" && !isHarmless)) return { index, attempt };
  }
  return null;
}

/**
 * Asks the engine to end the open job of a task. Null when there is none. `contract` names the task's backend. `refusal` says why the job
 * may still run; null when the engine was asked to end it.
 */
export async function stopOpenJob(
  backendOf: (contract: TaskContract) => ExecutionBackend | null,
  contract: TaskContract,
  { jobs }: Projection,
): Promise<{ readonly job_id: string; readonly refusal: string | null } | null> {
  const open = openJobOf(jobs);
  if (open === null) return null;
  const { job } = open;
  const cancelJob = backendOf(contract)?.cancelJob;
  const refusal = cancelJob === undefined ? "there is no flow engine any more" : await cancelJob(job);
  return { job_id: job.job_id, refusal };
}

/**
 * Only of a step that its server has started, whose outcome is not known (D-330). A job of a flow engine is looked up again, and a step
 * that may be repeated runs again: nothing is asked about either.
 */
export function takesLateResult(
  state: Projection,
  { index, attempt, owner }: Pick<LateResult, "index" | "attempt" | "owner">,
): boolean {
  const record = state.steps.records.get(index);
  const asked = stepInFlight(state);
  if (record === undefined || asked?.index !== index || asked.attempt !== attempt) return false;
  if (state.reported !== null && hasEnded(state.reported.status)) return false;
  return record.state === "started" && record.started_by === owner && record.late === null && record.job === undefined;
}

// Decides whether a step that failed may run again: where its answer was lost, it may have had its effect on another
// machine, and may run there still. Code decides this. The routing model is asked only about what may run again.

type CommandConsequences = NonNullable<JudgedStep["consequences"]>;
type JudgedCommand = { readonly consequences: CommandConsequences | null };

/** How the failure of a command leaves it on another machine; null where it changes nothing there. */
export function commandDelivery(
  step: Step | undefined,
  consequences: CommandConsequences | null | undefined,
  result: StepResult,
): CommandDelivery | null {
  return isIdempotent(step) ? null : deliveryElsewhere(step, consequences, result);
}

function deliveryElsewhere(
  step: Step | undefined,
  consequences: CommandConsequences | null | undefined,
  result: StepResult,
): CommandDelivery | null {
  if (step?.kind !== "cmd" || consequences == null) return null;
  return consequences.elsewhere.acts ? deliveryOf(consequences.elsewhere, result) : null;
}

/** The result as it is recorded: of unknown outcome where the answer was lost. */
export function withDelivery(
  step: Step | undefined,
  consequences: CommandConsequences | null | undefined,
  result: StepResult,
): StepResult {
  if (result.status !== "failed") return result;
  const delivery = commandDelivery(step, consequences, result);
  return delivery?.delivery === "answer_lost" ? { ...result, status: "outcome_unknown" } : result;
}

/** A tool call or a command that changes something, of which a job that the engine had accepted says nothing. */
function withoutReport(step: Step | undefined, result: StepResult): StepResult {
  const changes = step?.kind === "mcp_call" && !isCheck(step) && !isIdempotent(step);
  return changes && result.status === "failed" && result.exit_code === null
    ? { ...result, status: "outcome_unknown" }
    : result;
}

type Watched = { readonly steps: readonly Step[]; readonly judged: readonly JudgedCommand[]; readonly in_job: boolean };

/** Records lost answers as unknown outcomes. Whether a job was accepted is known only at its end. */
export function watchDelivery(observer: StepObserver, { steps, judged: of, in_job }: Watched) {
  let held: StepResult | null = null;
  const record = (result: StepResult): void =>
    observer.finished(withDelivery(steps[result.index], of[result.index]?.consequences, result));
  const recordHeld = (end: JobEnd | null): void => {
    const result = held;
    held = null;
    if (result === null) return;
    if (end !== null && wasAccepted(end.code)) record(withoutReport(steps[result.index], result));
    else observer.finished(result);
  };
  const watching: StepObserver = {
    ...observer,
    finished: (result) => {
      if (in_job && result.status === "failed" && result.exit_code === null) held = result;
      else record(result);
    },
    ended: (end) => {
      recordHeld(end);
      observer.ended(end);
    },
  };
  return { watching, close: () => recordHeld(null) };
}

type FailedStep = {
  readonly contract: TaskContract;
  readonly projection: Projection;
  readonly index: number;
};

/** Whether the answer of a step was lost that says that a repeat has no effect: then it runs again without a model. */
export async function isLostAndRepeatable(
  deps: PlanDeps,
  { contract, projection, index }: FailedStep,
): Promise<boolean> {
  const step = projection.procedure?.steps[index];
  const result = projection.steps.records.get(index)?.result ?? null;
  if (result === null || !isIdempotent(step)) return false;
  if (step?.kind === "mcp_call") return result.timed_out || reportsLostAnswer(result.stderr);
  const { steps } = await judged(deps, contract, projection);
  return deliveryElsewhere(step, steps[index]?.consequences, result)?.delivery === "answer_lost";
}

/** Whether the failed step may run again: it has reached nothing, it only reads, or it says that a repeat has no effect. */
export async function mayRunAgain(
  deps: PlanDeps & { readonly toolServers: Pick<ToolServers, "mayRepeat"> },
  { contract, projection, index }: FailedStep,
  signal: AbortSignal,
): Promise<boolean> {
  const step = projection.procedure?.steps[index];
  const record = projection.steps.records.get(index);
  const result = record?.result ?? null;
  if (step === undefined || result === null) return false;
  if (isPause(step) || isCheck(step) || isIdempotent(step)) return true;
  if (step.kind === "mcp_call")
    return (
      result.never_sent === true || record?.repeatable === true || (await deps.toolServers.mayRepeat(step, signal))
    );
  const { steps } = await judged(deps, contract, projection);
  const delivery = commandDelivery(step, steps[index]?.consequences, result);
  return delivery === null || delivery.delivery === "never_sent";
}

/** Why the step may still run on another machine, as the end of a sentence; null where nothing of it can. */
export async function mayStillRun(deps: PlanDeps, { contract, projection, index }: FailedStep): Promise<string | null> {
  const step = projection.procedure?.steps[index];
  if (step?.kind === "mcp_call") return "its tool server may still work on the call";
  if (step?.kind !== "cmd") return null;
  const { steps } = await judged(deps, contract, projection);
  const consequences = steps[index]?.consequences ?? null;
  if (consequences === null || !consequences.elsewhere.acts) return null;
  const result = projection.steps.records.get(index)?.result ?? null;
  if (result !== null && !deliveryOf(consequences.elsewhere, result).still_runs) return null;
  const { hosts } = consequences.reach;
  return `it may still run on ${hosts.length === 0 ? "another machine" : hosts.slice(0, 3).join(", ")}`;
}

// Says why a task is parked in which a server has crashed twice without progress between, or five times (D-258). The same rule for
// procedures, skills and agents.

const MOST_CRASHES = 2;
/** With progress between them. */
const MOST_IN_ALL = 5;

export type WhyParked = { readonly message: string; readonly step_index: number | null; readonly next?: NextAction[] };

/** Null for a task that runs. One that is to be cancelled is cancelled instead. */
export function whyParked(
  { skillFaultOf }: { readonly skillFaultOf: (intent: string) => string | null },
  { task_id, intent, delegation_mode }: TaskContract,
  projection: Projection,
): WhyParked | null {
  const { crashes, all_crashes, cancel_requested } = projection;
  if (cancel_requested !== null) return null;
  if (crashes >= MOST_CRASHES || all_crashes >= MOST_IN_ALL) return crashed(projection);
  const fault = delegation_mode === "agent" ? null : skillFaultOf(intent);
  return fault === null || !hasBegun(projection) ? null : withoutSkill(task_id, fault);
}

/** What has not begun is blocked: nothing of it is lost. */
const hasBegun = ({ skill, approvals }: Projection): boolean => skill.steps.length > 0 || approvals.last !== null;

function crashed(projection: Projection): WhyParked {
  const { text, step_index } = placeOf(projection);
  const message = `The server ended again and again without being stopped while it worked on this task, the last time ${text}. The task may be the cause, so nothing of it runs until the supervisor lets it go on.`;
  return { message, step_index };
}

function withoutSkill(task_id: string, fault: string): WhyParked {
  const message = `${fault}. The task has begun, so it waits until the skill is repaired, orch has started again, and the supervisor lets it go on.`;
  const goOn = "Have the skill repaired and orch started again; then let the task go on.";
  const next = [
    call("resolve_step", { task_id, resolution: "retry" }, goOn),
    call("get_evidence", { task_id }, "Read in the evidence how far it came."),
    call("cancel_task", { task_id }, "Cancel the task."),
  ];
  return { message, step_index: null, next };
}

type Place = { readonly text: string; readonly step_index: number | null };

function placeOf({ procedure, steps, skill, agent }: Projection): Place {
  const of_skill = skill.steps.find(({ state }) => state === "cut_off");
  if (of_skill !== undefined) return inStep(of_skill.index);
  const begun = [...steps.records.values()].find(({ state }) => state === "started");
  if (begun !== undefined) return inStep(begun.index);
  if (agent.equipped !== null) return { text: `in turn ${agent.turns.length + 1} of its agent`, step_index: null };
  // The start of a step that changes nothing is recorded with its end.
  if (skill.steps.length > 0) return { text: `after step ${skill.steps.length - 1} of its skill`, step_index: null };
  if (procedure !== null) return { text: `at step ${steps.passed}`, step_index: steps.passed };
  return { text: "at its beginning", step_index: null };
}

const inStep = (step_index: number): Place => ({ text: `in step ${step_index}`, step_index });
