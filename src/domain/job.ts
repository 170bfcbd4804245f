// A job of the flow engine: the remaining steps of a plan, submitted together (D-097). orch records the id before it
// submits the job, so that it finds the job again and never submits the steps under a second id (D-099).
import { z } from "zod";
import { JOB_FAILURES, type JobFailure } from "./reason-code.ts";

export const Job = z.strictObject({
  job_id: z.uuid(),
  through: z.int().min(0).describe("index of the last step of the plan in the job"),
  engine: z.string().describe("address and workspace; orch looks for the job and submits it only there"),
});
export type Job = z.infer<typeof Job>;

/** What a job waits for while it does not go on (D-270). */
export const JobWait = z.strictObject({
  on: z.enum(["queue", "job_unknown", "engine_refuses", "engine_unavailable"]),
  message: z.string(),
  since: z.iso.datetime(),
});
export type JobWait = z.infer<typeof JobWait>;

/** No step ran, and the failure can be transient: the routing model is asked, as for a failed step. */
export const mayPass = (code: JobFailure): boolean => code === "engine_unreachable" || code === "engine_unavailable";

/** The codes of a job that the engine has not accepted (D-100). */
const NOT_ACCEPTED: readonly string[] = [
  "flow_not_found",
  "engine_refused",
  "engine_unreachable",
  "engine_unavailable",
];
export const wasAccepted = (code: string): boolean => !NOT_ACCEPTED.includes(code);

/** `passed` and `step_failed`: the step results are complete. `lost`: the end of the job is unknown (D-103). */
const JobOutcome = z.strictObject({
  code: z.enum(["passed", "step_failed", "lost", ...JOB_FAILURES]),
  message: z.string(),
  raw_result: z.string().nullable().describe("head and tail of the engine's result when it breaks the contract"),
});
export type JobOutcome = z.infer<typeof JobOutcome>;

export const JobEnd = z.strictObject({ job_id: z.uuid(), ...JobOutcome.shape });
export type JobEnd = z.infer<typeof JobEnd>;

export const isJobFailure = (code: JobEnd["code"]): code is JobFailure =>
  (JOB_FAILURES as readonly string[]).includes(code);

/** The last job of a task, according to the journal. The next job must not run a step that this job has run. */
export type LastJob = {
  readonly job: Job;
  readonly first_index: number;
  /**
   * `submitted`: the journal has no end of the job. `not_accepted`: the engine has not accepted it; the next attempt
   * uses the same id (D-100). `lost`: its end is unknown (D-103).
   */
  readonly state: "submitted" | "not_accepted" | "lost" | "ended";
  readonly seen: boolean;
};
