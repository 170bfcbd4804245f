// Ends a task: its outcome, the counters of its SOP, and the candidate that a taught task has proved, all in one commit.
import type { Procedure } from "../../src/domain/journal.ts";
import type { NextAction } from "../../src/domain/next-action.ts";
import { nextAfterUnknown } from "../../src/domain/next-after-unknown.ts";
import { type EndStatus, hasEnded, outcome } from "../../src/domain/outcome.ts";
import { proofSummary } from "../../src/domain/proof.ts";
import { failedBeforeActing, failedTemporarily } from "../../src/domain/scorecard/temporary-failure.ts";
import type { Sop } from "../../src/domain/sop.ts";
import { type RunProof, runProof } from "../../src/domain/sop-level.ts";
import { hasTriedProcedure } from "../../src/domain/verdict.ts";
import { withdrawn } from "../../src/tasks/approval-record.ts";
import { stopOpenJob } from "../../src/tasks/open-job.ts";
import { pinnedTo } from "../../src/tasks/plan.ts";
import { openJobOf } from "../../src/tasks/projection/steps.ts";
import { type Projection, projection } from "../../src/tasks/projection.ts";
import { type TrialEnd, trialAgain, trialEnd } from "../../src/tasks/sop-trial.ts";
import { newCandidate } from "../../src/tasks/sop-versions.ts";
import type { ThreadJournal } from "../../src/tasks/thread.ts";
import { end } from "../../src/tasks/transitions.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";

export const endAs =
  (deps: PipelineDeps, status: EndStatus) =>
  async ({ contract, reason }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const { reported, procedure, findings: all, verdict } = journal.projection;
    if (reported !== null && hasEnded(reported.status)) return {};
    if (reason === undefined) throw new Error(`the pipeline reached ${status} without a reason`);
    const findings = status === "blocked" ? all.filter(({ verdict }) => verdict === "block") : [];
    const message = await withOpenJob(deps, contract, journal.projection, reason.message);
    const cancelled_because = status === "cancelled" ? await reasonOfCancellation(deps, contract.task_id) : null;
    const run = verdict === null || !hasTriedProcedure(verdict) ? null : runProof(verdict, contract.intent);
    const proof = verdict?.passed === true ? proofSummary(verdict.checks) : null;
    // Where a run was judged that no stored SOP gave, there is none to replace.
    const hasSop = verdict === null || (procedure !== null && procedure.sop_id !== null);
    const details = { ...reason, next: reason.next ?? nextOf(status, contract.task_id, journal.projection) };
    const facts = { thread_id: contract.task_id, findings, proof };
    for (;;) {
      const candidate = await candidateFrom(deps, contract, procedure, status === "ok" ? run : null);
      const trial = await trialOf(deps, contract.task_id, procedure, journal);
      const said = [message, cancelled_because, trial?.sentence ?? null].filter((part) => part !== null).join(" ");
      const ended = outcome(status, reason.reason_code, said, { ...details, ...facts });
      const { events, changes } = end({
        task_id: contract.task_id,
        outcome: hasSop ? ended : { ...ended, next: withoutReplacement(ended.next) },
        at: deps.clock().toISOString(),
        procedure,
        // A temporary problem of the environment changes no SOP [7.10.temporary].
        verdict: failedTemporarily(journal.events) ? null : verdict,
        proved: run === "proved",
        trial,
        withdrawn: withdrawn(journal.projection),
        candidate,
      });
      const conflict = await journal.tryCommit(events, changes);
      if (conflict === null) return {};
      // Another task of this key has just stored or settled a version: look again.
      if (conflict.on !== "sop_created" && conflict.on !== "sop")
        throw new Error(`task ${contract.task_id} could not end: ${conflict.on} changed`);
    }
  };

/** A cancelled task may have had effects. */
function nextOf(status: EndStatus, thread_id: string, { resolved, steps }: Projection): NextAction[] | undefined {
  const mayHaveActed = resolved !== null || steps.attempts.some(({ kind }) => kind === "cmd" || kind === "mcp_call");
  return status === "cancelled" && mayHaveActed ? nextAfterUnknown(thread_id) : undefined;
}

/** A sentence. The request may have been written after all that this thread knows; null where it gave no reason. */
async function reasonOfCancellation({ store }: PipelineDeps, task_id: string): Promise<string | null> {
  const reason = projection(await store.readJournal(task_id)).cancel_requested?.reason ?? null;
  return reason === null ? null : `Reason: ${reason}.`;
}

/** A version stays on trial until it has been run. */
async function trialOf(
  { store }: PipelineDeps,
  task_id: string,
  procedure: Procedure | null,
  { events, projection: { verdict } }: Pick<ThreadJournal, "events" | "projection">,
): Promise<TrialEnd | null> {
  if (procedure?.on_trial === undefined || procedure.sop_id === null || verdict === null) return null;
  if (!hasTriedProcedure(verdict)) return null;
  const ended = await trialEnd(store, { task_id, sop_id: procedure.sop_id, verdict });
  const { sop_version: version } = procedure;
  return ended !== null && version !== null && failedBeforeActing(events) ? trialAgain({ version }) : ended;
}

/** Asks the engine to end a job that may still run. The message says when it was not asked. */
async function withOpenJob(
  { backendOf }: PipelineDeps,
  contract: Pipeline["contract"],
  state: Projection,
  message: string,
): Promise<string> {
  const open = openJobOf(state.jobs);
  if (open !== null && message.includes(open.job.job_id)) return message;
  const stop = await stopOpenJob(backendOf, pinnedTo(contract, state), state);
  return stop === null || stop.refusal === null
    ? message
    : `${message} Job ${stop.job_id} may still run (${stop.refusal}).`;
}

/** A taught procedure that has proved itself, unless the same steps are stored already. */
async function candidateFrom(
  deps: PipelineDeps,
  contract: Pipeline["contract"],
  procedure: Procedure | null,
  run: RunProof | null,
): Promise<Sop | null> {
  if (run === null || procedure === null || procedure.sop_id !== null) return null;
  const { intent, target } = contract;
  return newCandidate(deps, {
    intent,
    target,
    procedure,
    origin: { by: "task", task_id: contract.task_id },
    run,
  });
}

/** A task that ran no stored SOP has none that could be replaced. */
const withoutReplacement = (next: readonly NextAction[]): NextAction[] =>
  next.filter(({ arguments: given }) => given["intent"] !== "update_sop");
