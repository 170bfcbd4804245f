// The reconcile command of a step of unknown outcome (D-299): it runs before a human is asked, and its exit code settles the step
// where it can. It runs once for each attempt, or again when a stop cut it off: it only looks.
import type { TaskContract } from "../../src/domain/contract.ts";
import { reason } from "../../src/domain/outcome.ts";
import { explainNoAnswer, type Reconciliation, saysOf, settlementOf } from "../../src/domain/reconcile.ts";
import type { ReconcileLook } from "../../src/domain/run-request.ts";
import { reconcileOf } from "../../src/domain/step.ts";
import { isAsApproved } from "../../src/engine/tasks/approval-record.ts";
import { boundTools, judged, judgeTools, pinned, pinnedTo, runsOnOf, toolPlan } from "../../src/engine/tasks/plan.ts";
import { mayStillRun, progressOf, type StepProgress } from "../../src/engine/tasks/progress.ts";
import type { Projection } from "../../src/engine/tasks/projection.ts";
import type { Thread } from "../../src/engine/tasks/thread.ts";
import type { Facts, Pipeline, PipelineDeps } from "../state.ts";

export const reconcileStep =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const thread = await deps.threadOf(contract.task_id);
    const { journal, cancel, draining } = thread;
    const { steps } = pinned(journal.projection);
    const progress = progressOf(journal.projection, steps);
    if (progress.is !== "outcome_unknown") return { reconciliation: "settled" };
    const { index, attempt } = progress;
    const command = reconcileOf(steps[index]);
    const { reconciled = null } = journal.projection.steps.records.get(index) ?? {};
    // The supervisor has cancelled the task: what may still run is said, and the target stays held until somebody answers.
    if (cancel.aborted) return cancelledIn(deps, { contract, projection: journal.projection, index });
    if (command === undefined || reconciled !== null) return { reconciliation: "undecided" };
    if (draining()) return { reconciliation: "suspended" };
    const look = await lookOf(deps, thread, { contract, command, progress });
    if (cancel.aborted) return cancelledIn(deps, { contract, projection: journal.projection, index });
    // What was cut off by a stop says nothing.
    if (look === null || (draining() && look.exit_code === null)) return { reconciliation: "suspended" };
    const on_host = await mayStillRun(deps, { contract, projection: journal.projection, index });
    const body = reconciliationOf(journal.projection, { index, attempt, look, on_host });
    await journal.commit([{ kind: "step_reconciled", body }]);
    return { reconciliation: body.settles === null ? "undecided" : "settled" };
  };

const CANCELLED = reason("cancelled", "The supervisor cancelled the task.");

/** Nothing that was started on this machine runs any more: only what may have an effect elsewhere is asked about. */
async function cancelledIn(deps: PipelineDeps, step: Parameters<typeof mayStillRun>[1]): Promise<Facts> {
  const isRecorded = step.projection.steps.records.get(step.index)?.state === "unknown";
  return isRecorded || (await mayStillRun(deps, step)) !== null
    ? { reconciliation: "undecided" }
    : { reconciliation: "cancelled", reason: CANCELLED };
}

type Looking = {
  readonly contract: TaskContract;
  readonly command: string;
  readonly progress: Extract<StepProgress, { is: "outcome_unknown" }>;
};

/** Null when the server stops. */
async function lookOf(
  deps: PipelineDeps,
  { journal, cancel, leaving }: Thread,
  { contract, command, progress: { index, attempt } }: Looking,
): Promise<ReconcileLook | null> {
  const { projection } = journal;
  const backend = deps.backendOf(pinnedTo(contract, projection));
  if (backend?.reconcile === undefined) return notRun("nothing runs it here: the steps of the task run elsewhere");
  const signal = AbortSignal.any([cancel, leaving]);
  const isSame = await isStillApproved(deps, { contract, projection, from: index, signal });
  if (signal.aborted) return null;
  if (!isSame) return notRun("it is not what was approved any more");
  const { last } = projection.jobs;
  const last_job = last === null ? {} : { last_job: last };
  const placed = { ...runsOnOf(projection), ...last_job };
  const request = { task_contract: contract, command, index, attempt, leaving, ...placed };
  return backend.reconcile(request, cancel);
}

const notRun = (why: string): ReconcileLook => ({
  exit_code: null,
  timed_out: false,
  stdout: "",
  stderr: `orch: the reconcile command was not run: ${why}`,
  duration_ms: 0,
  may_run: null,
});

type AboutToLook = {
  readonly contract: TaskContract;
  readonly projection: Projection;
  readonly from: number;
  readonly signal: AbortSignal;
};

/** The very step and the scripts that its reconcile command runs, as for a step that is about to run. */
async function isStillApproved(deps: PipelineDeps, { contract, projection, from, signal }: AboutToLook) {
  const tools = await boundTools(deps, pinned(projection).steps, { before: projection.tools, signal });
  const by_tools = await judgeTools(toolPlan(contract, pinned(projection)), deps.toolServers, signal);
  const on_disk = await judged(deps, contract, projection);
  return isAsApproved(contract, projection, { by_tools, on_disk, tools, from });
}

type Looked = {
  readonly index: number;
  readonly attempt: number;
  readonly look: ReconcileLook;
  readonly on_host: string | null;
};

function reconciliationOf({ steps }: Projection, { index, attempt, look, on_host }: Looked): Reconciliation {
  const { doubtful = false, repeats = 0 } = steps.records.get(index) ?? {};
  const says = saysOf(look);
  const may_run = look.may_run ?? on_host ?? (doubtful ? DOUBTFUL : explainNoAnswer(look));
  return { index, attempt, ...look, says, may_run, settles: settlementOf({ says, may_run }, repeats) };
}

/** What has started here has ended before its task is taken up again, where the journal says so. */
const DOUBTFUL = "it is not certain that everything that it started has ended";
