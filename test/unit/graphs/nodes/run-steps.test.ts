// What is left of a plan runs, here or as a job of a flow engine, and a request to cancel or a stop ends it.
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../graphs/nodes/run-steps.ts";
import type { TaskContract } from "../../../../src/domain/contract.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { JobEnd, RunRequest } from "../../../../src/domain/run-request.ts";
import type { Step, StepResult } from "../../../../src/domain/step.ts";
import type { ExecutionBackend, StepObserver } from "../../../../src/ports.ts";
import { AT, aContract, aResult, check, cmd, mcpCall } from "../../../support/builders.ts";
import {
  type PipelineParts,
  PROCEDURE,
  pinning,
  pipelineParts,
  procedureOf,
  stateOf,
} from "../../../support/pipeline-parts.ts";

const job_id = "0190a1b2-0000-7000-8000-000000000001";
const job = { job_id, through: 1, engine: "e" };
const SILENT = { ok: true, summary: "", step_results: [], evidence: { executed_commands: [], key_outputs: [] } };
const CANCEL: NewEvent = { kind: "cancel_requested", body: { reason: null } };
const started = (index: number, over: object = {}): NewEvent => ({
  kind: "step_started",
  body: { index, attempt: 1, ...over },
});
const finished = (index: number, over: Partial<StepResult> = {}): NewEvent => ({
  kind: "step_finished",
  body: aResult({ index, ...over }),
});
const resolved = (index: number, resolution: "succeeded" | "failed" | "retry"): NewEvent => ({
  kind: "step_resolved",
  body: { index, attempt: 1, resolution, reason: null },
});
const ended = (code: JobEnd["code"], message = "m"): NewEvent => ({
  kind: "job_ended",
  body: { job_id, code, message, raw_result: null },
});
const unknown = (index: number) => finished(index, { status: "outcome_unknown", exit_code: null });

type BackendOf = (backend: ExecutionBackend) => ExecutionBackend | null;
type Given = {
  readonly contract?: TaskContract;
  readonly steps?: readonly Step[];
  readonly events?: readonly NewEvent[];
  readonly remote?: boolean;
  /** How each step ends. */
  readonly ends?: (parts: PipelineParts) => Partial<StepResult>;
  readonly backendOf?: BackendOf;
  /** What happens to the thread before the node runs. */
  readonly first?: readonly ("cancel" | "drain")[];
};

/** What the node reports of a task with these events, and what follows of it. */
async function ran({
  contract = aContract(),
  steps = PROCEDURE.steps,
  events = [],
  remote = false,
  ...over
}: Given = {}) {
  const { ends = () => ({}), backendOf = (backend) => backend, first = [] } = over;
  const parts: PipelineParts = pipelineParts({ remote, ends: () => ends(parts) });
  await parts.begin(contract, pinning(procedureOf(steps)), ...events);
  await parts.threads.threadOf("t-1");
  for (const act of first) act === "cancel" ? parts.threads.cancel("t-1") : parts.threads.drain();
  const node = runSteps({ ...parts.deps, backendOf: () => backendOf(parts.backend) });
  const facts = await node(stateOf({ contract }));
  const { projection } = await parts.journalOf();
  const added = (await parts.store.readJournal("t-1")).slice(3 + events.length);
  return { parts, node, contract, facts, requests: parts.requests, projection, added };
}

/** A backend that reports what the test says. */
const reporting = (report: (observer: StepObserver) => unknown) => (backend: ExecutionBackend) => ({
  ...backend,
  run: async (_request: RunRequest, observer: StepObserver) => {
    await report(observer);
    return SILENT;
  },
});
const silent = reporting(() => undefined);
const failing = reporting((observer) => observer.finished(aResult({ status: "failed", exit_code: 1 })));

describe("run_steps", () => {
  test("runs a plan without findings, and leaves the end of its last step to the next commit", async () => {
    const { facts, requests, contract, added, projection } = await ran();
    expect(facts).toEqual({ execution: "completed" });
    const whole = { steps: PROCEDURE.steps, first_index: 0, attempt: 1, started_at: undefined, last_job: undefined };
    expect(requests).toEqual([{ task_contract: contract, ...whole }]);
    expect(added.map(({ kind }) => kind)).toEqual(["step_started", "step_finished", "step_started"]);
    expect(projection.steps.passed).toBe(2);
  });

  test("runs only what is left, with the start of an interrupted check", async () => {
    const { facts, requests } = await ran({ events: [started(0), finished(0), started(1)] });
    expect(facts).toEqual({ execution: "completed" });
    expect(requests).toMatchObject([{ first_index: 1, attempt: 1, started_at: AT, steps: [PROCEDURE.steps[1]] }]);
  });

  const stopped = finished(0, { status: "failed", exit_code: null, stderr: "orch: stopped on request" });
  const through_both = [started(0), finished(0), started(1), CANCEL];
  test.each<[string, string, readonly NewEvent[]]>([
    ["is completed", "completed", [started(0), finished(0), started(1), finished(1)]],
    ["is broken", "broken", [started(0), finished(0, { status: "failed" })]],
    ["has a step of unknown outcome", "outcome_unknown", [started(0)]],
    ["was stopped on request before a crash", "cancelled", [started(0), CANCEL, stopped]],
    ["was to be cancelled and passed all the same", "completed", [...through_both, finished(1)]],
    [
      "is cancelled by the answer about its last step",
      "cancelled",
      [...through_both, unknown(1), resolved(1, "succeeded")],
    ],
  ])("runs nothing of a plan that %s: %s", async (_what, execution, events) => {
    expect(await ran({ events })).toMatchObject({ facts: { execution }, requests: [] });
  });

  test("has a step of unknown outcome that the request to cancel has cut off", async () => {
    const ends: Given["ends"] = ({ threads }) => {
      threads.cancel("t-1");
      return { status: "outcome_unknown", exit_code: null };
    };
    expect((await ran({ ends })).facts).toEqual({ execution: "outcome_unknown" });
  });

  test.each<[string, string, NewEvent[]]>([
    ["no job", "The supervisor cancelled the task.", []],
    ["a job that may still run", `The supervisor cancelled the task; job ${job_id}: m.`, [ended("lost")]],
    ["a job that was cancelled", "The supervisor cancelled the task.", [ended("flow_cancelled")]],
  ])("reports after a request to cancel, with %s: %s", async (_what, message, events) => {
    const { facts } = await ran({ events, ends: () => ({ status: "failed" }), first: ["cancel"] });
    expect(facts).toEqual({ execution: "cancelled", reason: { reason_code: "cancelled", message, step_index: null } });
  });

  test.each<[string, string, Given]>([
    [
      "before its next step while the server stops",
      "suspended",
      { events: [started(0), finished(0)], first: ["drain"] },
    ],
    [
      "with an open job while the server stops",
      "suspended",
      { events: [started(0, { job })], first: ["cancel", "drain"] },
    ],
    [
      "once its job has ended",
      "cancelled",
      { events: [started(0, { job }), ended("flow_crashed")], first: ["cancel", "drain"] },
    ],
    ["with an open job, by the server that has it", "cancelled", { events: [started(0, { job })], first: ["cancel"] }],
    [
      "whose step has failed",
      "cancelled",
      { events: [started(0, { job })], first: ["cancel", "drain"], backendOf: failing },
    ],
  ])("leaves a task %s %s", async (_what, execution, given) => {
    expect((await ran({ remote: true, backendOf: silent, ...given })).facts).toMatchObject({ execution });
  });
});

describe("without a backend", () => {
  const backendOf = () => null;

  test("a plan that has not begun is unavailable", async () => {
    const message = "This server has no flow engine any more: FLOWENGINE_URL is not set.";
    const reason = { reason_code: "mode_unavailable", message, step_index: null };
    expect((await ran({ backendOf })).facts).toEqual({ execution: "unavailable", reason });
  });

  test.each([
    ["cmd", PROCEDURE.steps],
    ["check", [check("a")]],
  ] as const)("a job that was handed over is lost, and its %s of unknown outcome", async (kind, steps) => {
    const { facts, projection, added } = await ran({ backendOf, steps, events: [started(0, { job })] });
    expect(facts).toEqual({ execution: "outcome_unknown" });
    const message = `orch: handed over to the flow engine as job ${job_id}, and FLOWENGINE_URL is not set any more`;
    const lost = { index: 0, attempt: 1, kind, status: "outcome_unknown", stderr: message, started_at: AT };
    expect(projection.steps.records.get(0)?.result).toMatchObject(lost);
    expect(projection.jobs.ends).toEqual([{ job_id, code: "lost", message, raw_result: null }]);
    expect(added, "its start is on record").not.toContainEqual(expect.objectContaining({ kind: "step_started" }));
  });
});

describe("a job of the task", () => {
  const PLAN = [cmd("a"), cmd("b"), check("c"), check("d")];
  const part = { ...job, through: 2 };
  const last_job = { job: part, first_index: 1, steps: [cmd("b"), check("c")] };
  const SECOND = [started(0), finished(0), started(1, { job: part })];

  test("is given to the backend with the steps that it was given", async () => {
    const { requests } = await ran({ remote: true, steps: PLAN, events: SECOND });
    const state = "submitted";
    expect(requests).toMatchObject([{ first_index: 1, steps: PLAN.slice(1), last_job: { ...last_job, state } }]);
  });

  test("is followed after an answer about an earlier step, although the task is to be cancelled", async () => {
    const events = [started(0), unknown(0), resolved(0, "succeeded"), started(1, { job }), CANCEL];
    const { facts, requests } = await ran({ remote: true, events });
    expect([facts, requests]).toMatchObject([{ execution: "cancelled" }, [{ first_index: 1, last_job: { job } }]]);
  });

  test.each([
    ["could not start has a start before its end", [], ["step_started", "step_finished"]],
    ["was handed over has no second start", [started(0, { job })], ["step_finished"]],
  ])("whose step %s", async (_what, events, kinds) => {
    const { facts, added } = await ran({ remote: true, events, backendOf: failing });
    expect([facts, added.map(({ kind }) => kind)]).toEqual([{ execution: "broken" }, kinds]);
  });

  test.each([
    ["of unknown outcome on an engine that has accepted the job", true, "outcome_unknown"],
    ["a failure on this machine", false, "failed"],
  ])("that says nothing of its failed call leaves one that is %s", async (_what, remote, status) => {
    const backendOf = reporting(async (observer) => {
      await observer.started(0, 1, { job });
      observer.finished(aResult({ kind: "mcp_call", status: "failed", exit_code: null }));
      observer.ended({ job_id, code: "flow_crashed", message: "m", raw_result: null });
    });
    const constraints = { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 };
    const { projection } = await ran({ contract: aContract({ constraints }), steps: [mcpCall()], remote, backendOf });
    expect(projection.steps.attempts).toMatchObject([{ status }]);
  });

  describe("that looks at the checks", () => {
    const STEPS = [cmd("docker restart web"), check("docker inspect web"), check('echo 1; [ 1 != "$ORCH_BEFORE" ]')];
    const look = (step_index: number, printed: string) =>
      ({ step_index, answer: "red", exit_code: 1, reason: null, duration_ms: 1, printed }) as const;

    /** The requests are recorded; the first run looks, and its step fails. */
    async function looking(looks_in_run: boolean) {
      const requests: RunRequest[] = [];
      const report = async (request: RunRequest, observer: StepObserver) => {
        requests.push(request);
        if (request.attempt > 1) return SILENT;
        await observer.started(0, 1, { job });
        observer.looked?.([look(1, "one"), look(2, "two")]);
        observer.finished(aResult({ status: "failed", exit_code: 1 }));
        observer.ended({ job_id, code: "step_failed", message: "m", raw_result: null });
        return SILENT;
      };
      const backendOf = (backend: ExecutionBackend) => ({ ...backend, run: report, looks_in_run });
      return { ...(await ran({ remote: true, steps: STEPS, backendOf })), requests };
    }

    test("is asked once, and what it found is recorded with its report", async () => {
      const { requests, added, parts, node, contract } = await looking(true);
      expect(requests).toMatchObject([{ look_at: [1, 2], last_job: undefined }]);
      const kinds = ["step_started", "checks_looked_at", "step_finished", "job_ended"];
      expect(added.map(({ kind }) => kind)).toEqual(kinds);
      await (await parts.journalOf()).commit([{ kind: "retry_granted", body: { index: 0 } }]);
      await node(stateOf({ contract }));
      const [, second] = requests;
      expect(second).toMatchObject({ attempt: 2, before: new Map([[2, "two"]]) });
      expect([second?.look_at, second?.last_job?.look_at]).toEqual([undefined, undefined]);
    });

    test("is asked for nothing where the backend does not look in its run", async () => {
      expect((await looking(false)).requests[0]).not.toHaveProperty("look_at");
    });
  });

  describe("that is lost", () => {
    const LOST = [...SECOND, unknown(1), ended("lost")];

    async function asked(...events: NewEvent[]) {
      const reports: RunRequest[] = [];
      const reportLost = async (request: RunRequest) => void reports.push(request);
      const backendOf = (backend: ExecutionBackend) => ({ ...backend, reportLost });
      const { facts, contract } = await ran({ remote: true, steps: PLAN, events, backendOf });
      return { ...facts, reports, contract };
    }

    test("is asked what it has run since, when the supervisor says that its step failed", async () => {
      const { contract, reports, execution } = await asked(...LOST, resolved(1, "failed"));
      const lost = { ...last_job, state: "lost", seen: false };
      const request = { task_contract: contract, steps: PLAN.slice(1), first_index: 1, attempt: 1, last_job: lost };
      expect([reports, execution]).toEqual([[request], "broken"]);
    });

    test.each<[string, string, readonly NewEvent[]]>([
      ["it has ended otherwise", "broken", [...SECOND, unknown(1), ended("flow_crashed"), resolved(1, "failed")]],
      ["no job has run the step", "broken", [started(0), finished(0), started(1), unknown(1), resolved(1, "failed")]],
      ["its step has failed by itself", "broken", [...SECOND, finished(1, { status: "failed" }), ended("lost")]],
      ["its step is to run again", "completed", [...LOST, resolved(1, "retry")]],
    ])("is not asked where %s", async (_what, execution, events) => {
      expect(await asked(...events)).toMatchObject({ reports: [], execution });
    });

    test.each<[string, BackendOf]>([
      ["the engine is not there any more", () => null],
      ["the backend has no jobs", (backend) => backend],
    ])("is not asked where %s, and the task ends as the supervisor says", async (_what, backendOf) => {
      const events = [...LOST, resolved(1, "failed")];
      expect((await ran({ remote: true, steps: PLAN, events, backendOf })).facts).toEqual({ execution: "broken" });
    });
  });
});
