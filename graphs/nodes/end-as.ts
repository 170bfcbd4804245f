// Ends a task: writes its outcome, the counters of its SOP and its candidate in one commit.

import { targetSignature } from "../../src/domain/contract.ts";
import { actionsIn, type NextAction, nextAfterPossibleEffects } from "../../src/domain/next-action.ts";
import { type EndStatus, hasEnded, nextByReason, outcome, PROPOSE, type Reason } from "../../src/domain/outcome.ts";
import { proofSummary } from "../../src/domain/proof.ts";
import { failedBeforeActing, failedTemporarily } from "../../src/domain/scorecard/task-score.ts";
import type { Procedure, Sop } from "../../src/domain/sop.ts";
import { hasTriedProcedure } from "../../src/domain/verification.ts";
import { withdrawn } from "../../src/engine/tasks/approval-record.ts";
import { pinnedTo } from "../../src/engine/tasks/plan.ts";
import { stopOpenJob } from "../../src/engine/tasks/progress.ts";
import { type Projection, projection } from "../../src/engine/tasks/projection.ts";
import { type TrialEnd, trialAgain, trialEnd } from "../../src/engine/tasks/sop-trial.ts";
import { newCandidate, type RunProof, runProof } from "../../src/engine/tasks/sop-versions.ts";
import type { ThreadJournal } from "../../src/engine/tasks/thread.ts";
import { end } from "../../src/engine/tasks/transitions.ts";
import { openJobOf } from "../../src/features/flow-engine/fold.ts";
import { procedureOfAgent } from "../../src/features/procedures/propose-sop.ts";
import type { Facts, Pipeline, PipelineDeps } from "../state.ts";

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
    const facts = { thread_id: contract.task_id, findings, proof };
    for (;;) {
      const candidate = status === "ok" ? await candidateOf(deps, contract, journal.projection, run) : null;
      const trial = await trialOf(deps, contract.task_id, procedure, journal);
      const said = [message, cancelled_because, trial?.sentence ?? null].filter((part) => part !== null).join(" ");
      const next = await nextOf(deps, { contract, status, reason, candidate }, journal.projection);
      const { events, changes } = end({
        task_id: contract.task_id,
        outcome: outcome(status, reason.reason_code, said, { ...reason, ...facts, next }),
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
      // Another task with this intent and target has just stored or settled a version: read again.
      if (conflict.on !== "sop_created" && conflict.on !== "sop")
        throw new Error(`task ${contract.task_id} could not end: ${conflict.on} changed`);
    }
  };

type Ending = {
  readonly contract: Pipeline["contract"];
  readonly status: EndStatus;
  readonly reason: Reason;
  readonly candidate: Sop | null;
};

/** What the supervisor may do next. The reason decides, but for what only the run as a whole shows. */
async function nextOf(
  { store }: PipelineDeps,
  { contract, status, reason, candidate }: Ending,
  { resolved, steps, agent, procedure, verdict }: Projection,
): Promise<NextAction[]> {
  const { task_id: thread_id, intent, target } = contract;
  const facts = { thread_id, approval_id: null, step_index: reason.step_index };
  const next = reason.next === undefined ? nextByReason(reason.reason_code, facts) : actionsIn(reason.next);
  const mayHaveActed = resolved !== null || steps.attempts.some(({ kind }) => kind === "cmd" || kind === "mcp_call");
  // The steps of a cancelled task may have had effects: they are read before a new submit.
  if (status === "cancelled" && mayHaveActed && reason.next === undefined) return nextAfterPossibleEffects(thread_id);
  // An agent's run that left no candidate can be drafted as one, where no SOP is active.
  if (status === "ok" && agent.finished !== null && candidate === null && reason.next === undefined) {
    if ((await store.findActiveSop(intent, targetSignature(target))) === null) next.push(PROPOSE(facts));
  }
  // A run without a stored SOP leaves no SOP to replace.
  const hasNoSop = verdict !== null && (procedure === null || procedure.sop_id === null);
  return hasNoSop ? next.filter(({ arguments: given }) => given["intent"] !== "update_sop") : next;
}

/** Returns a sentence, or null without a reason. Reads the stored journal, because this thread may not know the cancel request yet. */
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

/** Builds the candidate of a task that ran no stored SOP [3.sop.candidate]: from its taught steps, or from its agent's run. */
async function candidateOf(
  deps: PipelineDeps,
  contract: Pipeline["contract"],
  { procedure, agent, verdict }: Projection,
  run: RunProof | null,
): Promise<Sop | null> {
  const { intent, target, task_id } = contract;
  const origin = { by: "task", task_id } as const;
  if (agent.finished !== null && verdict !== null) {
    const drafted = await procedureOfAgent(deps, { contract, calls: agent.calls, verdict, home: deps.home });
    return drafted && newCandidate(deps, { intent, target, procedure: drafted, origin, run: null });
  }
  if (run === null || procedure === null || procedure.sop_id !== null) return null;
  return newCandidate(deps, { intent, target, procedure, origin, run });
}
