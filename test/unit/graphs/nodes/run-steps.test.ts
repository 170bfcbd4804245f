// What is left of a plan runs, when it is what was approved.
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../graphs/nodes/run-steps.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { AT, aContract, aResult, check, cmd } from "../../../support/builders.ts";
import { PROCEDURE, pinning, pipelineParts, procedureOf, stateOf } from "../../../support/pipeline-parts.ts";

const job = { job_id: "0190a1b2-0000-7000-8000-000000000001", through: 1, engine: "e" };
const started = (index: number, over: object = {}): NewEvent => ({
  kind: "step_started",
  body: { index, attempt: 1, ...over },
});
const finished = (index: number, over: object = {}): NewEvent => ({
  kind: "step_finished",
  body: aResult({ index, ...over }),
});
describe("run_steps", () => {
  test("runs a plan without findings, and leaves the end of its last step to the next commit", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), pinning());
    expect(await runSteps(parts.deps)(stateOf({ contract }))).toEqual({ execution: "completed" });
    expect(parts.requests).toEqual([
      {
        task_contract: contract,
        steps: PROCEDURE.steps,
        first_index: 0,
        attempt: 1,
        started_at: undefined,
        last_job: undefined,
      },
    ]);
    const steps = ["step_started", "step_finished", "step_started"];
    expect((await parts.kindsOf()).slice(2)).toEqual(["sop_pinned", ...steps]);
    expect((await parts.journalOf()).projection.steps.passed).toBe(2);
  });

  test("makes the end of a step durable at once when the plan does not go on", async () => {
    const parts = pipelineParts({ ends: () => ({ status: "failed", exit_code: 1 }) });
    const contract = await parts.begin(aContract(), pinning());
    expect(await runSteps(parts.deps)(stateOf({ contract }))).toEqual({ execution: "broken" });
    expect((await parts.kindsOf()).at(-1)).toBe("step_finished");
  });

  test("runs only what is left, with the start of an interrupted check", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), pinning(), started(0), finished(0), started(1));
    expect(await runSteps(parts.deps)(stateOf({ contract }))).toEqual({ execution: "completed" });
    expect(parts.requests).toMatchObject([{ first_index: 1, attempt: 1, started_at: AT, steps: [PROCEDURE.steps[1]] }]);
  });

  test.each([
    ["completed", [started(0), finished(0), started(1), finished(1)]],
    ["broken", [started(0), finished(0, { status: "failed" })]],
    ["outcome_unknown", [started(0)]],
  ] as const)("runs nothing of a plan that is %s", async (execution, events) => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), pinning(), ...events);
    expect(await runSteps(parts.deps)(stateOf({ contract }))).toEqual({ execution });
    expect(parts.requests).toEqual([]);
  });

  test("is cancelled and not broken where the server crashed after it had stopped the step of a cancelled task", async () => {
    const stopped = finished(0, { status: "failed", exit_code: null, stderr: "orch: stopped on request" });
    const parts = pipelineParts();
    const asked: NewEvent = { kind: "cancel_requested", body: { reason: null } };
    const contract = await parts.begin(aContract(), pinning(), started(0), asked, stopped);
    expect(await runSteps(parts.deps)(stateOf({ contract }))).toMatchObject({ execution: "cancelled" });
    expect(parts.requests).toEqual([]);
  });

  describe("a cancelled task", () => {
    const ASKED: NewEvent = { kind: "cancel_requested", body: { reason: null } };
    const unknown = (index: number) => finished(index, { status: "outcome_unknown", exit_code: null });
    const succeeded = (index: number): NewEvent => ({
      kind: "step_resolved",
      body: { index, attempt: 1, resolution: "succeeded", reason: null },
    });
    const through_both = [started(0), finished(0), started(1), ASKED];

    test.each<[string, readonly NewEvent[], string]>([
      ["has completed where its last step passed all the same", [...through_both, finished(1)], "completed"],
      ["is cancelled by the answer about its last step", [...through_both, unknown(1), succeeded(1)], "cancelled"],
    ])("%s", async (_what, events, execution) => {
      const parts = pipelineParts();
      const contract = await parts.begin(aContract(), pinning(), ...events);
      expect(await runSteps(parts.deps)(stateOf({ contract }))).toMatchObject({ execution });
      expect(parts.requests).toEqual([]);
    });

    test("has its job followed after an answer about an earlier step", async () => {
      const parts = pipelineParts({ remote: true });
      const events = [started(0), unknown(0), succeeded(0), started(1, { job }), ASKED];
      const contract = await parts.begin(aContract(), pinning(), ...events);
      expect(await runSteps(parts.deps)(stateOf({ contract }))).toMatchObject({ execution: "cancelled" });
      expect(parts.requests).toMatchObject([{ first_index: 1, last_job: { job } }]);
    });

    test("has a step of unknown outcome that the request has cut off", async () => {
      const cutOff = () => {
        parts.threads.cancel("t-1");
        return { status: "outcome_unknown", exit_code: null } as const;
      };
      const parts = pipelineParts({ ends: cutOff });
      const contract = await parts.begin(aContract(), pinning());
      expect(await runSteps(parts.deps)(stateOf({ contract }))).toEqual({ execution: "outcome_unknown" });
    });
  });

  test.each([
    ["cancelled", "The supervisor cancelled the task.", null],
    ["cancelled", `The supervisor cancelled the task; job ${job.job_id}: it is silent.`, "lost"],
    ["cancelled", "The supervisor cancelled the task.", "flow_cancelled"],
  ] as const)("reports %s after a request to cancel: %s", async (execution, message, code) => {
    const parts = pipelineParts({ ends: () => ({ status: "failed" }) });
    const ended: NewEvent[] =
      code === null
        ? []
        : [{ kind: "job_ended", body: { job_id: job.job_id, code, message: "it is silent", raw_result: null } }];
    const contract = await parts.begin(aContract(), pinning(), ...ended);
    await parts.threads.threadOf("t-1");
    parts.threads.cancel("t-1");
    expect(await runSteps(parts.deps)(stateOf({ contract }))).toEqual({
      execution,
      reason: { reason_code: "cancelled", message, step_index: null },
    });
  });

  test("is suspended before its next step while the server stops, which is no cancellation", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), pinning(), started(0), finished(0));
    parts.threads.drain();
    expect(await runSteps(parts.deps)(stateOf({ contract }))).toEqual({ execution: "suspended" });
  });

  test("leaves an open job to the next server when this one stops, also after a request to cancel", async () => {
    for (const isOpen of [true, false]) {
      const parts = pipelineParts({ remote: true, over: { backendOf: () => silent } });
      const silent = { ...parts.backend, run: async () => SILENT };
      const end: NewEvent = {
        kind: "job_ended",
        body: { job_id: job.job_id, code: "flow_crashed", message: "m", raw_result: null },
      };
      const events = [started(0, { job }), ...(isOpen ? [] : [end])];
      const contract = await parts.begin(aContract(), pinning(), ...events);
      await parts.threads.threadOf("t-1");
      parts.threads.cancel("t-1");
      parts.threads.drain();
      expect(await runSteps(parts.deps)(stateOf({ contract }))).toMatchObject({
        execution: isOpen ? "suspended" : "cancelled",
      });
    }
  });

  const SILENT = { ok: true, summary: "", step_results: [], evidence: { executed_commands: [], key_outputs: [] } };
});

describe("without a backend", () => {
  const none = { over: { backendOf: () => null } };

  test("a plan that has not begun is unavailable", async () => {
    const parts = pipelineParts(none);
    const contract = await parts.begin(aContract(), pinning());
    expect(await runSteps(parts.deps)(stateOf({ contract }))).toEqual({
      execution: "unavailable",
      reason: {
        reason_code: "mode_unavailable",
        message: "This server has no flow engine any more: FLOWENGINE_URL is not set.",
        step_index: null,
      },
    });
  });

  test("a job that was handed over is lost, and its step of unknown outcome", async () => {
    const parts = pipelineParts(none);
    const contract = await parts.begin(aContract(), pinning(), started(0, { job }));
    expect(await runSteps(parts.deps)(stateOf({ contract }))).toEqual({ execution: "outcome_unknown" });
    const message = `orch: handed over to the flow engine as job ${job.job_id}, and FLOWENGINE_URL is not set any more`;
    const { steps, jobs } = (await parts.journalOf()).projection;
    expect(steps.records.get(0)?.result).toMatchObject({
      index: 0,
      attempt: 1,
      kind: "cmd",
      status: "outcome_unknown",
      stderr: message,
      started_at: AT,
    });
    expect(jobs.ends).toEqual([{ job_id: job.job_id, code: "lost", message, raw_result: null }]);
    expect(
      (await parts.kindsOf()).filter((kind) => kind === "step_started"),
      "its start is on record",
    ).toHaveLength(1);
  });
});

describe("a job of the task", () => {
  test("is given to the backend with the steps that it was given", async () => {
    const parts = pipelineParts({ remote: true });
    const steps = [cmd("a"), cmd("b"), check("c"), check("d")];
    const part = { ...job, through: 2 };
    const events = [started(0), finished(0), started(1, { job: part })];
    const contract = await parts.begin(aContract(), pinning(procedureOf(steps)), ...events);
    await runSteps(parts.deps)(stateOf({ contract }));
    expect(parts.requests).toMatchObject([
      {
        first_index: 1,
        steps: steps.slice(1),
        last_job: { job: part, first_index: 1, state: "submitted", steps: [cmd("b"), check("c")] },
      },
    ]);
  });
});
