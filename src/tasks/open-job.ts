// A job that may still run when its task ends: no task ends and leaves one without a word about it.
import type { TaskContract } from "../domain/contract.ts";
import type { ExecutionBackend } from "../ports.ts";
import { openJobOf } from "./projection/steps.ts";
import type { Projection } from "./projection.ts";

type JobStop = {
  readonly job_id: string;
  /** Why the job may still run; null when the engine was asked to end it. */
  readonly refusal: string | null;
};

/** Asks the engine to end the open job of a task. Null when there is none. `contract` names the task's backend. */
export async function stopOpenJob(
  backendOf: (contract: TaskContract) => ExecutionBackend | null,
  contract: TaskContract,
  { jobs }: Projection,
): Promise<JobStop | null> {
  const open = openJobOf(jobs);
  if (open === null) return null;
  const { job } = open;
  const cancelJob = backendOf(contract)?.cancelJob;
  const refusal = cancelJob === undefined ? "there is no flow engine any more" : await cancelJob(job);
  return { job_id: job.job_id, refusal };
}
