// A job: steps that a flow engine runs as a whole. Its id is recorded before the engine receives it, so that the job is found
// again and never submitted under a second id.
import { z } from "zod";

export const Job = z.strictObject({
  job_id: z.uuid(),
  through: z.int().min(0).describe("the last step of the plan that was handed over with it"),
  engine: z.string().describe("address and workspace: nowhere else is it looked for or made"),
});
export type Job = z.infer<typeof Job>;

/** A job that ends with one of these fails its task, even where every step passed. Each is a reason code too. */
export const JOB_FAILURES = [
  "flow_not_ok",
  "flow_contract_broken",
  "flow_result_too_large",
  "flow_crashed",
  "flow_cancelled",
  "flow_not_found",
  "engine_refused",
  "engine_unreachable",
  "engine_unavailable",
] as const;
export type JobFailure = (typeof JOB_FAILURES)[number];

/** Nothing ran, and it may go better next time: the routing model is asked, as about any step that failed. */
export const mayPass = (code: JobFailure): boolean => code === "engine_unreachable" || code === "engine_unavailable";

/** The codes of a job that the engine did not accept. */
const NOT_ACCEPTED: readonly string[] = [
  "flow_not_found",
  "engine_refused",
  "engine_unreachable",
  "engine_unavailable",
];
export const wasAccepted = (code: string): boolean => !NOT_ACCEPTED.includes(code);

/** After `passed` and `step_failed` the step results are complete. `lost`: its end is unknown. */
export const JobEnd = z.strictObject({
  job_id: z.uuid(),
  code: z.enum(["passed", "step_failed", "lost", ...JOB_FAILURES]),
  message: z.string(),
  raw_result: z.string().nullable().describe("head and tail of what the engine gave, where it was not what was agreed"),
});
export type JobEnd = z.infer<typeof JobEnd>;

export const isJobFailure = (code: JobEnd["code"]): code is JobFailure =>
  (JOB_FAILURES as readonly string[]).includes(code);
