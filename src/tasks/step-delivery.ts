// Decides whether a step that failed may run again: where its answer was lost, it may have had its effect on another
// machine, and may run there still. Code decides this. The routing model is asked only about what may run again.
import type { TaskContract } from "../domain/contract.ts";
import { type CommandDelivery, deliveryOf, reportsLostAnswer } from "../domain/failure-signs.ts";
import { type JobEnd, wasAccepted } from "../domain/job.ts";
import { isPause } from "../domain/polling.ts";
import { isCheck, type Step, type StepResult } from "../domain/step.ts";
import { isIdempotent } from "../domain/step-run.ts";
import type { JudgedStep } from "../policy/judge-plan.ts";
import type { StepObserver, ToolServers } from "../ports.ts";
import { judged, type PlanDeps } from "./plan.ts";
import type { Projection } from "./projection.ts";

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
