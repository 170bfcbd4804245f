// A job of the flow engine in run_steps: what is recorded of it, and whether a request to cancel ends it.
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../graphs/nodes/run-steps.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { StepObserver } from "../../../../src/ports.ts";
import { aContract, aResult, check, cmd } from "../../../support/builders.ts";
import { pinning, pipelineParts, procedureOf, stateOf } from "../../../support/pipeline-parts.ts";

const job = { job_id: "0190a1b2-0000-7000-8000-000000000001", through: 0, engine: "e" };
const handedOver: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1, job } };
const SILENT = { ok: true, summary: "", step_results: [], evidence: { executed_commands: [], key_outputs: [] } };

/** A backend that reports what the test says. */
function reporting(report: (observer: StepObserver) => void = () => undefined) {
  const parts = pipelineParts({ remote: true });
  const run: typeof parts.backend.run = async (_request, observer) => {
    report(observer);
    return SILENT;
  };
  return { ...parts, deps: { ...parts.deps, backendOf: () => ({ ...parts.backend, run }) } };
}

describe("a step that a backend could not start", () => {
  test("is recorded with a start before its end", async () => {
    const failed = aResult({ status: "failed", exit_code: null, stderr: "orch: the engine is silent" });
    const it = reporting((observer) => observer.finished(failed));
    const contract = await it.begin(aContract(), pinning());
    expect(await runSteps(it.deps)(stateOf({ contract }))).toEqual({ execution: "broken" });
    expect((await it.store.readJournal("t-1")).slice(3)).toMatchObject([
      { kind: "step_started", body: { index: 0, attempt: 1 } },
      { kind: "step_finished", body: failed },
    ]);
  });
});

describe("a backend that looks in its run", () => {
  const PLAN = procedureOf([
    cmd("docker restart web"),
    check("docker inspect web"),
    check('echo 1; [ 1 != "$ORCH_BEFORE" ]'),
  ]);
  const look = (step_index: number, printed: string) =>
    ({ step_index, answer: "red", exit_code: 1, reason: null, duration_ms: 1, printed }) as const;

  function looking(looks_in_run: boolean) {
    const it = pipelineParts({ remote: true });
    const run: typeof it.backend.run = async (request, observer) => {
      it.requests.push(request);
      if (request.attempt > 1) return SILENT;
      await observer.started(0, 1, { job });
      observer.looked?.([look(1, "one"), look(2, "two")]);
      observer.finished(aResult({ status: "failed", exit_code: 1 }));
      observer.ended({ job_id: job.job_id, code: "step_failed", message: "m", raw_result: null });
      return SILENT;
    };
    return { ...it, deps: { ...it.deps, backendOf: () => ({ ...it.backend, run, looks_in_run }) } };
  }

  test("is asked once, and what it found is recorded with the report of the job", async () => {
    const it = looking(true);
    const contract = await it.begin(aContract(), pinning(PLAN));
    await runSteps(it.deps)(stateOf({ contract }));
    expect(it.requests).toMatchObject([{ look_at: [1, 2], last_job: undefined }]);
    expect((await it.kindsOf()).slice(3)).toEqual(["step_started", "checks_looked_at", "step_finished", "job_ended"]);
    const { journal } = await it.threads.threadOf("t-1");
    await journal.commit([{ kind: "retry_granted", body: { index: 0 } }]);
    await runSteps(it.deps)(stateOf({ contract }));
    const [, second] = it.requests;
    expect(second).toMatchObject({ attempt: 2, before: new Map([[2, "two"]]) });
    expect([second?.look_at, second?.last_job?.look_at]).toEqual([undefined, undefined]);
  });

  test("is asked for nothing where it does not look", async () => {
    const it = looking(false);
    const contract = await it.begin(aContract(), pinning(PLAN));
    await runSteps(it.deps)(stateOf({ contract }));
    expect(it.requests[0]).not.toHaveProperty("look_at");
  });
});

describe("a job that was handed over", () => {
  test("does not start its step a second time", async () => {
    const it = reporting((observer) => observer.finished(aResult({ status: "failed", exit_code: 1 })));
    const contract = await it.begin(aContract(), pinning(), handedOver);
    expect(await runSteps(it.deps)(stateOf({ contract }))).toEqual({ execution: "broken" });
    expect((await it.kindsOf()).slice(3)).toEqual(["step_started", "step_finished"]);
  });

  test("that is lost with a check leaves the result of a check", async () => {
    const it = pipelineParts({ over: { backendOf: () => null } });
    const contract = await it.begin(aContract(), pinning(procedureOf([check("a")])), handedOver);
    expect(await runSteps(it.deps)(stateOf({ contract }))).toEqual({ execution: "outcome_unknown" });
    const { steps } = (await it.journalOf()).projection;
    expect(steps.records.get(0)?.result).toMatchObject({ kind: "check", status: "outcome_unknown" });
  });

  test("is cancelled when the server that has it goes on", async () => {
    const it = reporting();
    const contract = await it.begin(aContract(), pinning(), handedOver);
    await it.threads.threadOf("t-1");
    it.threads.cancel("t-1");
    expect(await runSteps(it.deps)(stateOf({ contract }))).toMatchObject({ execution: "cancelled" });
  });

  test("is cancelled also by a server that stops, when its step has failed", async () => {
    const it = reporting((observer) => observer.finished(aResult({ status: "failed", exit_code: 1 })));
    const contract = await it.begin(aContract(), pinning(), handedOver);
    await it.threads.threadOf("t-1");
    it.threads.cancel("t-1");
    it.threads.drain();
    expect(await runSteps(it.deps)(stateOf({ contract }))).toMatchObject({ execution: "cancelled" });
  });
});
