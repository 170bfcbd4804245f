// Runs the reconcile command of a step on the engine (D-299), as a job of its own: it only looks, so its id is not recorded. The lost
// job of the step is examined before, because the step may still run in it.
import { z } from "zod";
import { tagOf } from "../../domain/labels.ts";
import { RECONCILE_MS } from "../../domain/reconcile.ts";
import type { ReconcileLook, ReconcileRequest } from "../../domain/run-request.ts";
import { unfinished } from "../../domain/step.ts";
import { endOfJob } from "./end-of-job.ts";
import { describeFailure, type EngineApi } from "./engine-api.ts";
import { type Followed, followJob } from "./follow-job.ts";
import { inputOf, type JobsDeps, jobOfOtherEngine } from "./jobs.ts";
import { createJobLog } from "./read-log.ts";
import { reportIn } from "./read-report.ts";
import { submitJob } from "./submit-job.ts";

type Deps = Omit<JobsDeps, "onWait" | "tries">;
type Answer = Pick<ReconcileLook, "exit_code" | "stdout" | "stderr" | "timed_out">;

export async function reconcileStep(
  deps: Deps,
  request: ReconcileRequest,
  signal: AbortSignal,
  limit_ms = RECONCILE_MS,
): Promise<ReconcileLook> {
  const { last_job } = request;
  const begun = performance.now();
  const isElsewhere = last_job !== undefined && last_job.job.engine !== deps.identity;
  const may_run = last_job === undefined ? null : await mayRun(deps, last_job);
  const limit = AbortSignal.timeout(limit_ms);
  const answer = isElsewhere
    ? notRun(jobOfOtherEngine(last_job.job).message)
    : await runCheck(deps, request, AbortSignal.any([signal, limit]));
  const timed_out = answer.timed_out || (answer.exit_code === null && limit.aborted && !signal.aborted);
  return { ...answer, timed_out, may_run, duration_ms: Math.round(performance.now() - begun) };
}

const notRun = (message: string): Answer => ({
  ...{ exit_code: null, timed_out: false, stdout: "", stderr: `orch: ${message}` },
});

/** Why something of the job may still run. A job that the engine has never shown was never submitted. */
async function mayRun(
  { api, identity, redact }: Pick<Deps, "api" | "identity" | "redact">,
  { job, seen }: NonNullable<ReconcileRequest["last_job"]>,
): Promise<string | null> {
  if (job.engine !== identity) return "its job is on another flow engine";
  const completion = await api.completion(job.job_id);
  if (completion.is === "ok" && completion.value.completed) return null;
  const view: Awaited<ReturnType<EngineApi["view"]>> = await api.view(job.job_id);
  const isUnknown = view.is === "refused" && view.status === 404;
  if (isUnknown) return seen ? "the flow engine does not know its job any more" : null;
  return view.is === "ok"
    ? "its job still runs on the flow engine"
    : `its job cannot be examined (${redact(describeFailure(view))})`;
}

/** An abort cancels the job, unless the server stops: then it is left, because it only looks. */
async function runCheck(deps: Deps, request: ReconcileRequest, signal: AbortSignal): Promise<Answer> {
  const { api, timing, redact, clock, flow_path } = deps;
  const { task_contract, command, index, attempt, leaving, runs_on } = request;
  const steps = [{ kind: "check", value: command } as const];
  const job_id = deps.new_id();
  const run = { task_contract, steps, first_index: index, attempt };
  const watch = { ...{ api, timing, redact, flow_path, wait: UNSEEN }, leaving: () => leaving.aborted };
  const submission = await submitJob(
    watch,
    { job_id, tag: tagOf(runs_on), input: inputOf(run, deps.tool_servers) },
    signal,
  );
  if (submission.is === "failed") return notRun(submission.message);
  const log = createJobLog({ api, redact, publish: async () => undefined });
  const followed = await followJob({ ...watch, log }, { job_id, certain: submission.is === "accepted" }, signal);
  if (followed.is === "suspended") return notRun("the server stops");
  const range = { ...run, started_at: clock().toISOString() };
  const { results, message } = endOfJob(followed, { range, lines: log.steps(), redact });
  const result = results[0] ?? unfinished({ index, attempt, kind: "check", started_at: range.started_at });
  // The exit code of a check that was not run says nothing of the step.
  const hasRun = result.exit_code === 0 || executedIn(followed).includes(command);
  const { timed_out, stdout, stderr } = result;
  return hasRun
    ? { exit_code: result.exit_code, timed_out, stdout, stderr }
    : { exit_code: null, timed_out, stdout, stderr: stderr === "" ? `orch: ${message}` : stderr };
}

const UNSEEN = { saw: async () => undefined, close: () => undefined };

const Executed = z.looseObject({ evidence: z.looseObject({ executed_commands: z.array(z.string()) }) });

function executedIn(followed: Exclude<Followed, { is: "suspended" }>): readonly string[] {
  if (followed.is !== "completed") return [];
  const { completion } = followed;
  const report = reportIn(completion.result, completion.success === true);
  return Executed.safeParse(report).data?.evidence.executed_commands ?? [];
}
