// Runs what the journal says is left of the plan, in one loop, so that a step costs one commit and not a superstep. A
// step's start is durable before its effect; its end is committed together with the next start.
import { approvalDigest } from "../../src/domain/approval.ts";
import type { TaskContract } from "../../src/domain/contract.ts";
import { eventsOf, type JournalEvent, type Procedure } from "../../src/domain/journal.ts";
import { type Progress, progressOf } from "../../src/domain/progress.ts";
import type { StepObserver, Thread } from "../../src/ports.ts";
import type { Facts, Pipeline } from "../state.ts";
import { because } from "../why.ts";
import { decisionOn } from "./await-approval.ts";
import { findingsOf, judged, type PipelineDeps, pinned, planContent } from "./pipeline-deps.ts";

export const runSteps =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const thread = await deps.threadOf(contract.task_id);
    const procedure = pinned(thread.journal.events);
    if (!isApproved(deps, contract, procedure, thread.journal.events)) return UNAPPROVED;
    const progress = progressOf(thread.journal.events, procedure.steps);
    if (progress.is !== "ready") return { execution: progress.is };
    await runFrom(deps, contract, procedure, thread, progress);
    const facts = executionOf(thread, procedure);
    // The last step's end goes with the report that follows at once; what needs thought first is made durable now.
    if (facts.execution !== "completed") await thread.journal.commit([]);
    return facts;
  };

const UNAPPROVED: Facts = {
  execution: "unapproved",
  why: because("approval_stale", "What would run now is not what was approved."),
};

/** Rules are judged again on the very steps that will run; with the model's findings they must give the approved digest. */
function isApproved(
  deps: PipelineDeps,
  contract: TaskContract,
  procedure: Procedure,
  events: readonly JournalEvent[],
): boolean {
  const noted = findingsOf(events);
  const asked = eventsOf(events, "approval_requested");
  if (noted.length === 0 && asked.length === 0) return true;
  const fresh = judged(deps, contract, procedure);
  const findings = [...fresh, ...noted.filter((finding) => finding.code.startsWith("category."))];
  const digest = approvalDigest(planContent(contract, procedure, findings));
  return asked.some(
    (request) => request.digest === digest && decisionOn(events, request.approval_id)?.decision === "approve",
  );
}

async function runFrom(
  deps: PipelineDeps,
  contract: TaskContract,
  { steps }: Procedure,
  { journal, cancel, draining }: Thread,
  { index, attempt, started_at }: Extract<Progress, { is: "ready" }>,
): Promise<void> {
  const observer: StepObserver = {
    started: async (at, nth, repeatable = false) => {
      if (cancel.aborted || draining()) return false;
      const body = { index: at, attempt: nth, ...(repeatable && { repeatable }) };
      await journal.commit([{ kind: "step_started", body }]);
      return true;
    },
    finished: (result) => journal.note({ kind: "step_finished", body: result }),
  };
  const context = { target: contract.target, payload: contract.payload, mcp_servers: {} };
  const request = {
    task_contract: contract,
    steps: steps.slice(index),
    context,
    first_index: index,
    attempt,
    started_at,
  };
  const backend = deps.backendOf(contract);
  if (backend === null) throw new Error(`task ${contract.task_id} was admitted without a backend`);
  await backend.run(request, observer, cancel);
}

function executionOf({ journal, cancel }: Thread, { steps }: Procedure): Facts {
  if (cancel.aborted)
    return { execution: "cancelled", why: because("cancelled", "The supervisor cancelled the task.") };
  const { is } = progressOf(journal.events, steps);
  return { execution: is === "ready" ? "suspended" : is };
}
