// Ends a task: its outcome, the counters of its SOP, and the candidate that a taught task has proved, all in one commit.
import type { Procedure } from "../../src/domain/journal.ts";
import { type EndStatus, hasEnded, outcome } from "../../src/domain/outcome.ts";
import type { Sop } from "../../src/domain/sop.ts";
import { withdrawn } from "../../src/tasks/approval-record.ts";
import { stopOpenJob } from "../../src/tasks/open-job.ts";
import { pinnedTo } from "../../src/tasks/plan.ts";
import { openJobOf } from "../../src/tasks/projection/steps.ts";
import type { Projection } from "../../src/tasks/projection.ts";
import { newCandidate } from "../../src/tasks/sop-versions.ts";
import { end } from "../../src/tasks/transitions.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";

export const endAs =
  (deps: PipelineDeps, status: EndStatus) =>
  async ({ contract, reason }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const { reported, procedure, findings: all } = journal.projection;
    if (reported !== null && hasEnded(reported.status)) return {};
    if (reason === undefined) throw new Error(`the pipeline reached ${status} without a reason`);
    const findings = status === "blocked" ? all.filter(({ verdict }) => verdict === "block") : [];
    const message = await withOpenJob(deps, contract, journal.projection, reason.message);
    const ended = outcome(status, reason.reason_code, message, { ...reason, thread_id: contract.task_id, findings });
    for (;;) {
      const candidate = await candidateFrom(deps, contract, procedure, status);
      const { events, changes } = end({
        task_id: contract.task_id,
        outcome: ended,
        at: deps.clock().toISOString(),
        procedure,
        verdict: journal.projection.verdict,
        withdrawn: withdrawn(journal.projection),
        candidate,
      });
      const conflict = await journal.tryCommit(events, changes);
      if (conflict === null) return {};
      // Another task of this key has just stored a version: take the next number.
      if (conflict.on !== "sop_created")
        throw new Error(`task ${contract.task_id} could not end: ${conflict.on} changed`);
    }
  };

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
  status: EndStatus,
): Promise<Sop | null> {
  if (status !== "ok" || procedure === null || procedure.sop_id !== null) return null;
  const { intent, target } = contract;
  return newCandidate(deps, {
    intent,
    target,
    procedure,
    origin: { by: "task", task_id: contract.task_id },
    proved: true,
  });
}
