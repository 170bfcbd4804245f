// A job of the flow engine in run_steps: what is recorded of it, and whether a request to cancel ends it.
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../graphs/nodes/run-steps.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { RunRequest } from "../../../../src/domain/run-request.ts";
import type { ExecutionBackend, StepObserver } from "../../../../src/ports.ts";
import { aContract, aResult, check, cmd, mcpCall } from "../../../support/builders.ts";
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

describe("the failure of a call that the result of a job says nothing of", () => {
  test.each([
    ["is of unknown outcome on an engine that has accepted the job", true, "outcome_unknown"],
    ["is a failure on this machine", false, "failed"],
  ])("%s", async (_what, remote, status) => {
    const it = pipelineParts({ remote });
    const run: typeof it.backend.run = async (_request, observer) => {
      await observer.started(0, 1, { job });
      observer.finished(aResult({ kind: "mcp_call", status: "failed", exit_code: null }));
      observer.ended({ job_id: job.job_id, code: "flow_crashed", message: "m", raw_result: null });
      return SILENT;
    };
    const deps = { ...it.deps, backendOf: () => ({ ...it.backend, run }) };
    const constraints = { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 };
    const contract = await it.begin(aContract({ constraints }), pinning(procedureOf([mcpCall()])));
    await runSteps(deps)(stateOf({ contract }));
    expect((await it.journalOf()).projection.steps.attempts).toMatchObject([{ status }]);
  });
});

describe("a lost job", () => {
  const PLAN = [cmd("a"), cmd("b"), check("c"), check("d")];
  const part = { ...job, through: 2 };
  const end = (code: "lost" | "flow_crashed"): NewEvent => ({
    kind: "job_ended",
    body: { job_id: job.job_id, code, message: "m", raw_result: null },
  });
  const one = (index: number, status: "passed" | "failed" | "outcome_unknown"): NewEvent => ({
    kind: "step_finished",
    body: aResult({ index, status }),
  });
  const resolved = (resolution: "failed" | "retry"): NewEvent => ({
    kind: "step_resolved",
    body: { index: 1, attempt: 1, resolution, reason: null },
  });
  const begun = (over: object): NewEvent => ({ kind: "step_started", body: { index: 1, attempt: 1, ...over } });
  const FIRST: readonly NewEvent[] = [{ kind: "step_started", body: { index: 0, attempt: 1 } }, one(0, "passed")];

  async function asked(...events: NewEvent[]) {
    const it = pipelineParts({ remote: true });
    const reports: RunRequest[] = [];
    const reportLost = async (request: RunRequest) => void reports.push(request);
    const deps = { ...it.deps, backendOf: () => ({ ...it.backend, reportLost }) };
    const contract = await it.begin(aContract(), pinning(procedureOf(PLAN)), ...FIRST, ...events);
    return { contract, reports, ...(await runSteps(deps)(stateOf({ contract }))) };
  }

  test("is asked what it has run since, when the supervisor says that its step failed", async () => {
    const events = [begun({ job: part }), one(1, "outcome_unknown"), end("lost"), resolved("failed")];
    const { contract, reports, execution } = await asked(...events);
    const last_job = { job: part, first_index: 1, state: "lost", seen: false, steps: PLAN.slice(1, 3) };
    expect(reports).toEqual([{ task_contract: contract, steps: PLAN.slice(1), first_index: 1, attempt: 1, last_job }]);
    expect(execution).toBe("broken");
  });

  test.each<[string, string, readonly NewEvent[]]>([
    ["a job has ended otherwise", "broken", [begun({ job: part }), one(1, "outcome_unknown"), end("flow_crashed")]],
    ["no job has run the step", "broken", [begun({}), one(1, "outcome_unknown")]],
  ])("is not asked where %s", async (_what, execution, events) => {
    expect(await asked(...events, resolved("failed"))).toMatchObject({ reports: [], execution });
  });

  test.each<[string, string, readonly NewEvent[]]>([
    ["has failed by itself", "broken", [one(1, "failed"), end("lost")]],
    ["is to run again", "completed", [one(1, "outcome_unknown"), end("lost"), resolved("retry")]],
  ])("is not asked where its step %s", async (_what, execution, events) => {
    expect(await asked(begun({ job: part }), ...events)).toMatchObject({ reports: [], execution });
  });

  test.each<[string, (parts: ReturnType<typeof pipelineParts>) => ExecutionBackend | null]>([
    ["the engine is not there any more", () => null],
    ["the backend has no jobs", ({ backend }) => backend],
  ])("is not asked where %s, and the task ends as the supervisor says", async (_what, backendOf) => {
    const it = pipelineParts({ remote: true });
    const events = [begun({ job: part }), one(1, "outcome_unknown"), end("lost"), resolved("failed")];
    const contract = await it.begin(aContract(), pinning(procedureOf(PLAN)), ...FIRST, ...events);
    const deps = { ...it.deps, backendOf: () => backendOf(it) };
    expect(await runSteps(deps)(stateOf({ contract }))).toEqual({ execution: "broken" });
  });
});
