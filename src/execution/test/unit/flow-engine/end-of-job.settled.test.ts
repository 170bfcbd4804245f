// After any end of a job, none of its steps counts as still to run, because orch would run it twice. A job passes only
// when the engine, the flow and every step report success.
import fc from "fast-check";
import { expect, test } from "vitest";
import { AT, aResult, check, cmd, journalOf, wait } from "../../../../../test/support/builders.ts";
import type { NewEvent } from "../../../../domain/journal.ts";
import { isJobFailure, JobEnd } from "../../../../domain/run-request.ts";
import { StepResult } from "../../../../domain/step.ts";
import { judge } from "../../../../domain/verification.ts";
import { progressOf } from "../../../../engine/tasks/progress.ts";
import { projection } from "../../../../engine/tasks/projection.ts";
import { stepResultsOf } from "../../../../engine/tasks/steps-fold.ts";
import { createRedactor } from "../../../../redact/find-secrets.ts";
import { type Ended, endOfJob } from "../../../flow-engine/end-of-job.ts";
import type { StepLine } from "../../../flow-engine/follow-job.ts";

const job_id = "0190a1b2-0000-7000-8000-000000000001";
const STEPS = [cmd("up"), wait("1s"), check("served")];
/** Two steps passed before the job was submitted. */
const PLAN = [cmd("a"), cmd("b"), ...STEPS];
const range = { steps: STEPS, first_index: 2, attempt: 3, started_at: AT };

type Outcome = Parameters<typeof endOfJob>[0];
const completed = (result: unknown, success: boolean | undefined): Outcome => ({
  is: "completed",
  completion: { completed: true, result, ...(success !== undefined && { success }) },
  text: String(JSON.stringify({ success, result })),
});

/** The journal as the pipeline writes it. */
function journalAfter({ results, code, message, raw_result }: Ended) {
  const earlier = [0, 1].flatMap((index): NewEvent[] => [
    { kind: "step_started", body: { index, attempt: 1 } },
    { kind: "step_finished", body: aResult({ index }) },
  ]);
  const told = results.flatMap((body): NewEvent[] => [
    ...(body.index === 2
      ? []
      : [{ kind: "step_started" as const, body: { index: body.index, attempt: body.attempt } }]),
    { kind: "step_finished", body },
  ]);
  return journalOf(
    ...earlier,
    { kind: "step_started", body: { index: 2, attempt: 3, job: { job_id, through: 4, engine: "e" } } },
    ...told,
    { kind: "job_ended", body: { job_id, code, message, raw_result } },
  );
}

const kinds = fc.constantFrom("cmd", "wait", "check");
const passed = { status: "passed", exit_code: 0 };
const anyStep = fc.oneof(
  fc.constant(passed),
  fc.record(
    {
      index: fc.nat(4),
      kind: kinds,
      status: fc.constantFrom("passed", "passed", "passed", "failed", "skipped", "outcome_unknown"),
      exit_code: fc.constantFrom(0, 0, 0, 1, null),
      stdout: fc.string(),
    },
    { requiredKeys: [] },
  ),
  fc.anything(),
);
const soundSteps = fc
  .tuple(fc.nat(3), fc.constantFrom("passed", "failed", "skipped", "outcome_unknown"))
  .map(([length, status]) => [...Array(length).fill(passed), { status }].slice(0, STEPS.length));
const anySteps = fc.oneof(soundSteps, fc.array(anyStep, { maxLength: 5 }));
const anyReport = fc.record(
  { ok: fc.oneof(fc.constant(true), fc.constant(false), fc.anything()), summary: fc.string(), step_results: anySteps },
  { requiredKeys: [] },
);
const anyResult = fc.oneof(
  anyReport,
  anyReport.map((error) => ({ error })),
  anyReport.map((result) => ({ error: { name: "Error", message: "stopped", result } })),
  fc.record({ error: fc.record({ name: fc.constantFrom("Canceled", "Error"), message: fc.string() }) }),
  fc.anything(),
);
const without = (is: "lost" | "too_large") => fc.string().map((message): Outcome => ({ is, message }));
const anyOutcome = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(anyResult, fc.constantFrom(true, false, undefined)).map(([r, s]) => completed(r, s)),
  },
  without("lost"),
  without("too_large"),
  fc.string().map((message): Outcome => ({ is: "failed", code: "engine_unreachable", message })),
);
const lineOf = (index: number, kind: StepLine["kind"], status: "passed" | "failed" | "outcome_unknown" | null) => ({
  index,
  kind,
  end: status && { status, exit_code: status === "passed" ? 0 : null, duration_ms: 5 },
});
const anyStatus = fc.constantFrom("passed", "passed", "failed", "outcome_unknown", null);
const anyLine = fc.tuple(fc.nat(4), kinds, anyStatus).map((line): StepLine => lineOf(...line));
const wholeLog = STEPS.map(({ kind }, index) => lineOf(index, kind, "passed"));
const anyLog = fc.oneof(
  fc.array(anyLine, { maxLength: 8 }),
  fc.nat(3).map((length) => wholeLog.slice(0, length)),
);

test("no step of an ended job is left to run, and a job passes only when all report success [3.rule.6]", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyOutcome, anyLog, (outcome, lines) => {
      const end = endOfJob(outcome, { range, lines, redact: createRedactor([]) });
      const { code, message, raw_result, results } = end;
      seen.add(code);
      for (const result of results) expect(StepResult.parse(result)).toEqual(result);
      expect(JobEnd.parse({ job_id, code, message, raw_result })).toEqual({ job_id, code, message, raw_result });

      const journal = journalAfter(end);
      const state = projection(journal);
      const { is } = progressOf(state, PLAN);
      expect(is).not.toBe("ready");
      const job_failure = state.jobs.failure?.code ?? null;
      expect(job_failure).toBe(isJobFailure(code) ? code : null);
      const told = stepResultsOf(state.steps, PLAN);
      const verdict = judge({ steps: PLAN, results: told, covers: [], success_criteria: [], job_failure });
      expect([is === "completed", verdict.passed]).toEqual([code === "passed", code === "passed"]);
      if (code === "passed") expect(outcome).toMatchObject({ completion: { success: true, result: { ok: true } } });
    }),
    { numRuns: 2_000, seed: 5 },
  );
  for (const code of ["passed", "step_failed", "lost", "flow_not_ok", "flow_contract_broken", "flow_crashed"]) {
    expect(seen, `${code} has been tried`).toContain(code);
  }
});
