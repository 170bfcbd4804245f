// The pipeline on a flow engine, on orch as it is composed: who runs the steps, and what each way in which a job can go
// means for the task.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nextByReason } from "../../../src/domain/outcome.ts";
import { JOB_FAILURES, type JobFailure } from "../../../src/domain/reason-code.ts";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { type Fault, refuses } from "../../simulators/flow-engine/faults.ts";
import { endsAs, returns, throws, type Work } from "../../simulators/flow-engine/worker.ts";
import { check, cmd, polled } from "../../support/builders.ts";
import { type Pair, startPair } from "../../support/orch-on-engine.ts";
import { empty, text } from "../../support/request-recorder.ts";
import { type RoutingModel, startRoutingModel } from "../../support/routing-model.ts";

let pair: Pair;
let model: RoutingModel;
beforeAll(async () => {
  model = await startRoutingModel();
  pair = await startPair({ ...model.env, EXECUTION_BACKEND: "flowengine" });
});
afterAll(async () => {
  await pair[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const KNOWN = { delegation_mode: "known_only" };
const PASSED = { status: "passed", exit_code: 0 };

/** Runs these steps as an SOP, and gives back the task, its evidence and the jobs that were made for it. */
async function runs(name: string, steps: readonly object[], over: Record<string, unknown> = {}) {
  const { orch, flow } = pair;
  const [before, requests] = [flow.jobs.length, flow.requests.length];
  await orch.learn("deploy", orch.targetOf(name), steps);
  const task = await orch.run(name, { ...KNOWN, ...over });
  const evidence = await orch.call("get_evidence", { task_id: name });
  return { task, evidence, jobs: flow.jobs.slice(before), requests: flow.requests.slice(requests) };
}

/** The ids under which jobs went on record. */
const jobIds = ({ journal }: { journal: { kind: string; body: { job?: { job_id: string } } }[] }) =>
  journal.flatMap(({ kind, body }) => (kind === "step_started" && body.job !== undefined ? [body.job.job_id] : []));

describe("who runs the steps", () => {
  test.each([
    ["flowengine", undefined, "flowengine", 1],
    ["flowengine", "local", "local", 0],
    ["local", undefined, "local", 0],
    ["local", "flowengine", "flowengine", 1],
  ])(
    "by default %s, by the contract %s: %s [1.A.5.backend_choice] [1.A.6.switchable]",
    async (def, field, backend, jobs) => {
      await using both = await startPair({ EXECUTION_BACKEND: def });
      const { orch, flow } = both;
      await orch.learn("deploy", orch.targetOf("chosen"), [cmd("echo x >> ran"), check("test -s ran")]);
      const task = await orch.run("chosen", { ...KNOWN, ...(field !== undefined && { execution_backend: field }) });
      expect(task).toMatchObject({ status: "ok", backend, outcome: { reason_code: "verified" } });
      expect(orch.linesOf("ran")).toEqual(["x"]);
      expect(flow.counts().accepted).toBe(jobs);
    },
  );
});

describe("a task whose job has passed", () => {
  test("is verified by its checks, and its evidence holds [2.evidence.key_outputs] [1.A.6.flow_engine] [4.flow.invoke]", async () => {
    const { task, evidence, jobs } = await runs("passes", [cmd("echo one; echo two"), check("test -d /")]);
    expect(task).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
    expect(evidence.step_results).toMatchObject([
      { stdout: "one\ntwo\n", attempt: 1 },
      { kind: "check", exit_code: 0 },
    ]);
    expect(evidence.executed_commands).toEqual(["echo one; echo two", "test -d /"]);
    expect(evidence.key_outputs).toEqual(["two"]);
    expect(jobIds(evidence)).toEqual(jobs.map(({ id }) => id));
    const of = (kind: string) => evidence.journal.filter((event: { kind: string }) => event.kind === kind);
    expect(of("job_ended")).toMatchObject([{ body: { job_id: jobs[0]?.id, code: "passed" } }]);
    const lines = of("job_progressed").flatMap(({ body }: { body: { lines: string[] } }) => body.lines);
    expect(lines.filter((line: string) => line.startsWith("orch: "))).toHaveLength(4);
    expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
  });

  test("has failed where a check has: the job's success proves nothing [3.rule.3.failed]", async () => {
    const { task, jobs } = await runs("check-fails", [cmd("true"), check("test -e /nothing")]);
    expect(jobs).toMatchObject([{ ending: { success: true } }]);
    expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed", step_index: 1 } });
  });
});

test("a flow that is not ok is a failed task, although the job succeeded and every step passed [3.rule.6] [7.5]", async () => {
  pair.flow.give(returns({ ok: false, summary: "the page is blank", step_results: [PASSED, PASSED] }), 1);
  const { task, evidence, jobs } = await runs("not-ok", [cmd("true"), check("test -d /")]);
  expect(jobs).toMatchObject([{ ending: { success: true } }]);
  expect(task).toMatchObject({
    status: "failed",
    outcome: { reason_code: "flow_not_ok", message: expect.stringContaining("the page is blank"), step_index: null },
    steps: [{ status: "passed" }, { status: "passed" }],
  });
  expect(evidence.verdict).toMatchObject({ passed: false, checks: [{ passed: true }] });
});

describe("how a job failed is how the task failed, and the model is not asked", () => {
  const canceled = { error: { name: "Canceled", message: "Job canceled: maintenance by somebody" } };
  const floods: Fault = ({ response }) => void response.end(Buffer.alloc(64 * 1024 * 1024 + 1, 32));
  const FAILURES: [JobFailure, { work?: Work; run?: Fault; poll?: Fault }, string][] = [
    ["flow_not_ok", { work: returns({ ok: false, summary: "not today" }) }, "not today"],
    ["flow_contract_broken", { work: returns(42) }, "broke its output contract"],
    ["flow_result_too_large", { work: returns("large"), poll: floods }, "too large"],
    ["flow_crashed", { work: throws("TypeError", "no such thing") }, "no such thing"],
    ["flow_cancelled", { work: endsAs({ success: false, result: canceled }) }, "by somebody"],
    ["flow_not_found", { run: refuses(text("Flow not found at path f/x", 404)) }, "Flow not found"],
    ["engine_refused", { run: refuses(text("Unauthorized", 401)) }, "401"],
  ];

  test.each(FAILURES)("%s", async (code, { work, run, poll }, words) => {
    const { flow } = pair;
    const asked = model.questions.length;
    const off = [
      ...(work === undefined ? [] : [flow.give(work)]),
      ...(run === undefined ? [] : [flow.fault("run", run)]),
      ...(poll === undefined ? [] : [flow.fault("poll", poll)]),
    ];
    const { task, evidence, requests } = await runs(code, [cmd("echo x >> never"), check("test -d /")]);
    for (const end of off) end();
    const { outcome, status, next } = task;
    const advised = nextByReason(code, { thread_id: task.task_id, approval_id: null, step_index: outcome.step_index });
    expect({ status, next, ...outcome }).toMatchObject({ status: "failed", reason_code: code, next: advised });
    expect(outcome.message).toContain(words);
    expect(evidence.verdict).toMatchObject({ passed: false, reason_code: code });
    expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
    expect(model.questions, "nobody asks whether it was transient").toHaveLength(asked);
    expect(
      requests.filter(({ kind }) => kind === "run"),
      "nor is it tried again",
    ).toHaveLength(1);
    expect(pair.orch.linesOf("never")).toEqual([]);
  });

  test("only those of all codes that may pass are left to the model", () => {
    const rest = JOB_FAILURES.filter((code) => FAILURES.every(([tried]) => tried !== code));
    expect(rest).toEqual(["engine_unreachable", "engine_unavailable"]);
  });
});

describe("an engine that takes no job", () => {
  // It names a time so far off that waiting for it is of no use.
  const busy = refuses(empty(429, { "retry-after": "3600" }));

  test("is tried once more under its id when the model calls that transient [7.1]", async () => {
    const command = "echo x >> once-free";
    model.says(command, { error_type: "transient" });
    pair.flow.fault("run", busy, 1);
    const { task, evidence, jobs } = await runs("busy-once", [cmd(command), check("test -d /")]);
    expect(task).toMatchObject({ status: "ok", steps: [{ attempt: 2 }, { attempt: 1 }] });
    expect(pair.orch.linesOf("once-free")).toEqual(["x"]);
    const ids = jobIds(evidence);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(jobs.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(model.askedAbout(command)).toMatchObject([{ error_output: expect.stringContaining("429") }]);
    expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
  });

  test("fails the task when it takes none the second time either", async () => {
    const command = "echo x >> never-free";
    model.says(command, { error_type: "transient" });
    pair.flow.fault("run", busy, 2);
    const { task, requests } = await runs("busy-twice", [cmd(command), check("test -d /")]);
    expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "engine_unavailable" } });
    expect(requests.filter(({ kind }) => kind === "run")).toHaveLength(2);
    expect(model.askedAbout(command)).toHaveLength(1);
    expect(pair.orch.linesOf("never-free")).toEqual([]);
  });
});

test("a step that failed for a moment is tried again in a job of its own, and no finished step with it [7.1]", async () => {
  const flaky = 'echo try >> tries; test "$(wc -l < tries)" -eq 2';
  model.says(flaky, { error_type: "transient" });
  const { task, jobs } = await runs("flaky", [cmd("echo x >> before"), cmd(flaky), check("echo x >> after")]);
  expect(task).toMatchObject({ status: "ok", steps: [{ attempt: 1 }, { attempt: 2 }, { attempt: 1 }] });
  expect(["before", "tries", "after"].map((file) => pair.orch.linesOf(file).length)).toEqual([1, 2, 1]);
  expect(jobs.map(({ args }) => args["steps"])).toEqual([
    [cmd("echo x >> before"), cmd(flaky), check("echo x >> after")],
    [cmd(flaky), check("echo x >> after")],
  ]);
});

test.each([
  ["a check", check('echo try >> check-tries; test "$(wc -l < check-tries)" -eq 2')],
  ["a polled check", polled("echo connection refused >&2; test -e not-there", "500ms")],
])("%s that failed in a job fails the task, and the model is not asked: promises 1.6", async (what, step) => {
  if (step.kind === "check") model.says(step.value, { error_type: "transient" });
  const name = what.replaceAll(" ", "-");
  const asked = model.questions.length;
  const { task, jobs, evidence } = await runs(name, [cmd(`echo x >> before-${name}`), step]);
  expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed", step_index: 1 } });
  expect([jobs.length, model.questions.length]).toEqual([1, asked]);
  expect(evidence.step_results[1]).toMatchObject({ attempt: 1, status: "failed" });
  expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
});

describe("a task that is cancelled", () => {
  test("while its job runs ends the job", async () => {
    const { orch, flow } = pair;
    const before = flow.jobs.length;
    await orch.learn("deploy", orch.targetOf("running"), [orch.holding("running"), check("test -d /")]);
    await orch.call("submit_task", orch.contract("running"));
    await orch.begun("running");
    const task = await orch.call("cancel_task", { task_id: "running", reason: "wrong host" });
    expect(task).toMatchObject({ status: "cancelled", steps: [{ status: "failed" }, { status: "pending" }] });
    expect(flow.jobs.slice(before)).toMatchObject([{ canceled: { by: "orch" }, ending: { success: false } }]);
    const evidence = await orch.call("get_evidence", { task_id: "running" });
    expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
  });

  test("while its job waits in the queue runs nothing", async () => {
    const { orch, flow } = pair;
    flow.hold();
    const before = flow.jobs.length;
    await orch.learn("deploy", orch.targetOf("queued"), [cmd("echo x >> queued"), check("test -d /")]);
    await orch.call("submit_task", orch.contract("queued"));
    await expect.poll(() => flow.jobs.length, { timeout: 10_000 }).toBe(before + 1);
    expect(await orch.call("cancel_task", { task_id: "queued" })).toMatchObject({ status: "cancelled" });
    flow.release();
    expect(orch.linesOf("queued")).toEqual([]);
  });
});
