// Runs what the journal says is left of the plan, in one loop, so that a step costs one commit and not a superstep. A
// step's start is durable before its effect; its end is committed together with the next start.
import type { TaskContract } from "../../src/domain/contract.ts";
import type { Finding } from "../../src/domain/finding.ts";
import { reason } from "../../src/domain/outcome.ts";
import type { Procedure } from "../../src/domain/sop.ts";
import { unfinished } from "../../src/domain/step.ts";
import { printedBefore } from "../../src/domain/step-run.ts";
import { checksToLookAt } from "../../src/engine/policy/checks-to-look-at.ts";
import { lookedAt } from "../../src/engine/policy/judge-plan.ts";
import { isAsApproved } from "../../src/engine/tasks/approval-record.ts";
import { findIfDone, looksInRun, prepareChecks } from "../../src/engine/tasks/check-looks.ts";
import { compareBeforeSteps, type StepComparison } from "../../src/engine/tasks/compare-before-step.ts";
import type { StepOnDisk } from "../../src/engine/tasks/judge-on-disk.ts";
import {
  boundTools,
  isOnlyUnread,
  judged,
  judgeTools,
  pinned,
  pinnedTo,
  runsOnOf,
  staleText,
  toolPlan,
  unreadToolsText,
} from "../../src/engine/tasks/plan.ts";
import { progressOf, type StepProgress, watchDelivery } from "../../src/engine/tasks/progress.ts";
import type { Projection } from "../../src/engine/tasks/projection.ts";
import { observeSteps, type Thread, tracing } from "../../src/engine/tasks/thread.ts";
import { openJobOf } from "../../src/features/flow-engine/fold.ts";
import type { Facts, Pipeline, PipelineDeps } from "../state.ts";

export const runSteps =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const thread = await deps.threadOf(contract.task_id);
    const { projection } = thread.journal;
    const procedure = pinned(projection);
    const progress = progressOf(projection, procedure.steps);
    if (progress.is === "broken" && progress.settled) await reportLost(deps, thread, { contract, procedure, progress });
    // A stop that came between the end of a step and that of its task does not make the task fail that was cancelled. The answer
    // about its last step ends a task that was cancelled before.
    const isAnswered = progress.is === "completed" && thread.cancel.aborted && projection.resolved !== null;
    if (progress.is === "broken" || isAnswered) return executionOf(thread, procedure);
    if (progress.is !== "ready") return { execution: progress.is };
    const signal = AbortSignal.any([thread.cancel, thread.leaving]);
    // Waits for a list of tools that cannot be read, so that those who judge by it find it.
    const tools = await boundTools(deps, procedure.steps, { before: projection.tools, signal });
    const by_tools = await judgeTools(toolPlan(contract, procedure), deps.toolServers, signal);
    const on_disk = await judged(deps, contract, projection);
    // No step starts any more, and what was not compared is no change.
    if (signal.aborted && progress.job === undefined) return executionOf(thread, procedure);
    if (!isAsApproved(contract, projection, { by_tools, on_disk, tools, from: progress.index })) {
      const now = { scripts: on_disk.scripts, tools };
      const unread = unreadLists(by_tools);
      const how = staleText(projection, now) + unread || unreadToolsText(tools);
      return unapproved(isOnlyUnread(projection, now) || unread !== "" ? "tool_list_unread" : "approval_stale", how);
    }
    if (!(await isInUse(deps, procedure, progress))) return NOT_IN_USE;
    prepareChecks(deps, thread, contract);
    await lookBefore(deps, thread, { contract, procedure, progress });
    if (await findIfDone(deps, thread, contract)) return { execution: "already_done" };
    const compared = compareBeforeSteps(deps, { contract, projection, on_disk, tools, signal });
    if (!(await runFrom(deps, thread, { contract, procedure, progress, compared, judged_steps: on_disk.steps })))
      return UNAVAILABLE;
    const stale = await compared.stale();
    const facts: Facts = stale === null ? executionOf(thread, procedure) : { execution: "unapproved", reason: stale };
    // The end of the last step is committed with the report that follows at once. Any other end is made durable now.
    if (facts.execution !== "completed") await thread.journal.flush();
    return facts;
  };

const unreadLists = (by_tools: readonly Finding[]): string =>
  by_tools.flatMap(({ code, reason: why }) => (code === "tool.list_unread" ? [` ${why}.`] : [])).join("");

/** `how`: what has changed, as far as that is known, or the list of tools without which nothing can be compared. */
const unapproved = (code: "approval_stale" | "tool_list_unread", how: string): Facts => ({
  execution: "unapproved",
  reason: reason(
    code,
    code === "tool_list_unread"
      ? `Whether what would run now is what was approved cannot be seen.${how}`
      : `What would run now is not what was approved.${how}`,
  ),
});

const NOT_IN_USE: Facts = {
  execution: "unapproved",
  reason: reason("approval_stale", "The version on trial that was approved is not in use any more."),
};

/** Another run may have failed while this one waited. Only a version on trial is asked for: others keep to what they are pinned to. */
async function isInUse(deps: PipelineDeps, procedure: Procedure, { index, started_at }: ReadyRun["progress"]) {
  const { on_trial, sop_id } = procedure;
  if (on_trial === undefined || sop_id === null || index > 0 || started_at !== undefined) return true;
  return (await deps.store.findSop(sop_id))?.status === "active";
}

const UNAVAILABLE: Facts = {
  execution: "unavailable",
  reason: reason("mode_unavailable", "This server has no flow engine any more: FLOWENGINE_URL is not set."),
};

type ReadyRun = {
  readonly contract: TaskContract;
  readonly procedure: Procedure;
  readonly progress: Extract<StepProgress, { is: "ready" }>;
};

type ComparedRun = ReadyRun & { readonly compared: StepComparison; readonly judged_steps: readonly StepOnDisk[] };

type Settled = Omit<ReadyRun, "progress"> & { readonly progress: Extract<StepProgress, { is: "broken" }> };

/** What a lost job has run since counts also where the supervisor says that its step failed (D-103). */
async function reportLost(
  deps: PipelineDeps,
  thread: Thread,
  { contract, procedure: { steps }, progress: { index, attempt } }: Settled,
): Promise<void> {
  const { projection } = thread.journal;
  const { last } = projection.jobs;
  if (last?.state !== "lost") return;
  const last_job = { ...last, steps: steps.slice(last.first_index, last.job.through + 1) };
  const request = { task_contract: contract, steps: steps.slice(index), first_index: index, attempt, last_job };
  await deps.backendOf(pinnedTo(contract, projection))?.reportLost?.(request, observeSteps(thread, null));
}

/** Looks at the checks once, before the first step. The looks are committed with its start (D-194). */
async function lookBefore(
  deps: PipelineDeps,
  { journal, cancel, leaving }: Thread,
  { contract, procedure: { steps }, progress }: ReadyRun,
): Promise<void> {
  const { projection } = journal;
  const has_begun = progress.index > 0 || progress.started_at !== undefined || projection.proof.before !== null;
  const look = deps.backendOf(pinnedTo(contract, projection))?.look;
  if (has_begun || look === undefined) return;
  const checks = await checksToProbe(deps, contract, steps, cancel);
  if (checks.length === 0) return;
  const signal = AbortSignal.any([cancel, leaving]);
  const looks = await look({ task_contract: contract, checks }, signal);
  if (!signal.aborted) journal.note({ kind: "checks_looked_at", body: { looks } });
}

/** Of the calls of tools only those that their server marks as reading: a call before the change is one more call. */
async function checksToProbe(
  { judge, home, toolServers }: PipelineDeps,
  contract: TaskContract,
  steps: Procedure["steps"],
  signal: AbortSignal,
) {
  const checks = await judge(checksToLookAt, lookedAt(contract), steps, home);
  const reads = await Promise.all(
    checks.map(async ({ step }) => step.kind !== "mcp_call" || (await toolServers.effectOf(step, signal)) === "reads"),
  );
  return checks.filter((_check, position) => reads[position]);
}

/** False when there is no backend to run them. */
async function runFrom(
  deps: PipelineDeps,
  thread: Thread,
  { contract, procedure: { steps }, progress, compared, judged_steps }: ComparedRun,
): Promise<boolean> {
  const { index, attempt, started_at, job } = progress;
  const { projection } = thread.journal;
  const backend = deps.backendOf(pinnedTo(contract, projection));
  const recorder = observeSteps(thread, job === undefined ? null : index);
  const in_job = backend?.remote === true;
  const delivery = watchDelivery(recorder, { steps, judged: judged_steps, in_job });
  const observer = compared.watching(delivery.watching);
  if (backend !== null) {
    const { last } = projection.jobs;
    const looks =
      backend.looks_in_run === true
        ? looksInRun(projection, await checksToProbe(deps, contract, steps, thread.cancel))
        : null;
    const last_job =
      last === null
        ? undefined
        : { ...last, steps: steps.slice(last.first_index, last.job.through + 1), ...looks?.last };
    const before = printedBefore(projection.proof.before, steps);
    const place = {
      first_index: index,
      attempt,
      started_at,
      last_job,
      ...runsOnOf(projection),
      ...(before.size > 0 && { before }),
      ...looks?.next,
      ...tracing(thread),
    };
    await backend.run({ task_contract: contract, steps: steps.slice(index), ...place }, observer, thread.cancel);
    delivery.close();
    return true;
  }
  if (job === undefined) return false;
  const message = `orch: handed over to the flow engine as job ${job.job_id}, and FLOWENGINE_URL is not set any more`;
  // Stryker disable next-line OptionalChaining,StringLiteral: the first step of a job is one of the plan
  const kind = steps[index]?.kind ?? "cmd";
  // Stryker disable next-line StringLiteral: a job that was handed over has a start
  observer.finished({ ...unfinished({ index, attempt, kind, started_at: started_at ?? "" }), stderr: message });
  observer.ended({ job_id: job.job_id, code: "lost", message, raw_result: null });
  return true;
}

function executionOf({ journal, cancel, draining }: Thread, { steps }: Procedure): Facts {
  const progress = progressOf(journal.projection, steps);
  // A job goes on without this server: the next one cancels it.
  const isLeft = draining() && progress.is === "ready" && openJobOf(journal.projection.jobs) !== null;
  if (cancel.aborted && progress.is === "outcome_unknown") return { execution: "outcome_unknown" };
  if (cancel.aborted && !isLeft) {
    return { execution: "cancelled", reason: reason("cancelled", cancellation(journal.projection)) };
  }
  return { execution: progress.is === "ready" ? "suspended" : progress.is };
}

/** Names a job that could not be stopped. */
function cancellation({ jobs }: Projection): string {
  const end = jobs.ends.at(-1);
  return `The supervisor cancelled the task${end?.code === "lost" ? `; job ${end.job_id}: ${end.message}` : ""}.`;
}
