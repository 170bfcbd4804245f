// Ends a task: its outcome, the counters of its SOP, and the candidate that a taught task has proved (spec section 3), all
// in one commit. Counters move only on verified results.
import { wasTaken } from "../../src/domain/job.ts";
import { type EventBody, type JournalEvent, lastOf, type NewEvent, type Procedure } from "../../src/domain/journal.ts";
import { openJobOf } from "../../src/domain/last-job.ts";
import { type EndStatus, hasEnded, type Outcome, outcome } from "../../src/domain/outcome.ts";
import type { Sop } from "../../src/domain/sop.ts";
import type { Change } from "../../src/ports.ts";
import { withdrawn } from "../../src/tasks/approval-record.ts";
import { findingsOf, pinnedTo } from "../../src/tasks/plan.ts";
import { procedureOf } from "../../src/tasks/progress.ts";
import { newCandidate, sopChanged } from "../../src/tasks/sop-versions.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";

export const endAs =
  (deps: PipelineDeps, status: EndStatus) =>
  async ({ contract, reason }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const reported = lastOf(journal.events, "reported");
    if (reported !== undefined && hasEnded(reported.status)) return {};
    if (reason === undefined) throw new Error(`the pipeline reached ${status} without a reason`);
    const findings =
      status === "blocked" ? findingsOf(journal.events).filter((found) => found.verdict === "block") : [];
    const message = await withOpenJob(deps, contract, journal.events, reason.message);
    const ended = outcome(status, reason.reason_code, message, { ...reason, findings });
    const procedure = procedureOf(journal.events);
    for (;;) {
      const candidate = await candidateFrom(deps, contract, procedure, status);
      const events: NewEvent[] = [{ kind: "reported", body: ended }];
      if (candidate !== null) events.unshift(sopChanged(candidate, "candidate", `proved by task ${contract.task_id}`));
      const conflict = await journal.tryCommit(events, [
        taskEnd(deps, contract.task_id, ended, procedure),
        ...counted(lastOf(journal.events, "verdict_reached"), procedure),
        ...withdrawn(journal.events),
        ...(candidate === null ? [] : [{ on: "sop_created", sop: candidate } as const]),
      ]);
      if (conflict === null) return {};
      // Another task of this key has just stored a version: take the next number.
      if (conflict.on !== "sop_created")
        throw new Error(`task ${contract.task_id} could not end: ${conflict.on} changed`);
    }
  };

/** No task ends and leaves a job behind without a word: the engine is asked to end it. */
async function withOpenJob(
  { backendOf }: PipelineDeps,
  contract: Pipeline["contract"],
  events: readonly JournalEvent[],
  message: string,
): Promise<string> {
  const open = openJobOf(events);
  if (open === undefined || message.includes(open.job.job_id)) return message;
  const cancelJob = backendOf(pinnedTo(contract, events))?.cancelJob;
  const refusal = cancelJob === undefined ? "there is no flow engine any more" : await cancelJob(open.job);
  return refusal === null ? message : `${message} Job ${open.job.job_id} may still run (${refusal}).`;
}

function taskEnd(deps: PipelineDeps, task_id: string, ended: Outcome, procedure: Procedure | undefined): Change {
  const at = deps.clock().toISOString();
  const pins = { sop_id: procedure?.sop_id ?? null, sop_version: procedure?.sop_version ?? null };
  const set = {
    status: ended.status,
    outcome: ended,
    waiting: null,
    owner: null,
    lease_expires_at: null,
    ended_at: at,
  };
  return { on: "task", task_id, expect: { status: ["running"] }, set: { ...set, ...pins } };
}

function counted(verdict: EventBody<"verdict_reached"> | undefined, procedure: Procedure | undefined): Change[] {
  const sop_id = procedure?.sop_id ?? null;
  // A job that the engine has not taken says nothing about its procedure.
  if (verdict === undefined || sop_id === null || !wasTaken(verdict.reason_code)) return [];
  return [{ on: "sop_counted", sop_id, passed: verdict.passed }];
}

/** A taught procedure that has proved itself, unless the same steps are stored already. */
async function candidateFrom(
  deps: PipelineDeps,
  contract: Pipeline["contract"],
  procedure: Procedure | undefined,
  status: EndStatus,
): Promise<Sop | null> {
  if (status !== "ok" || procedure === undefined || procedure.sop_id !== null) return null;
  const { intent, target } = contract;
  return newCandidate(deps, { intent, target, procedure, origin: contract.task_id, proved: true });
}
