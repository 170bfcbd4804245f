// Ways in which a job ends, as the engine really stores them. What each result means for the steps is in the unit tests of end-of-job.
import { describe, expect, test } from "vitest";
import { cutsMidAnswer, refuses } from "../../../../../test/simulators/flow-engine/faults.ts";
import { returns, runsThen, throws, type Work } from "../../../../../test/simulators/flow-engine/worker.ts";
import { check, cmd } from "../../../../../test/support/builders.ts";
import { text } from "../../../../../test/support/request-recorder.ts";
import { FlowOutput } from "../../../../domain/run-request.ts";
import { type EngineRun, LONG, sent, startEngineRun, startJob } from "./engine-run.ts";

const STEPS = [cmd("echo one"), check("test -d /")];

async function given(work: Work, ...options: Parameters<typeof startEngineRun>): Promise<EngineRun> {
  const it = await startEngineRun(...options);
  it.engine.give(work);
  return it;
}

async function ended(it: EngineRun) {
  const output = FlowOutput.parse(await it.run(STEPS));
  expect(it.engine.counts()).toMatchObject({ accepted: 1, run_requests: 1 });
  return { output, end: it.end(), told: it.told.slice(1) };
}

test("the shipped flow reports every step with its output [2.flow_output.ok] [2.flow_output.summary] [2.flow_output.step_results]", async () => {
  await using it = await startEngineRun();
  const { output, end, told } = await ended(it);
  expect(told).toEqual(["0 passed 0", "1 passed 0", "ended passed"]);
  expect(output).toMatchObject({ ok: true, summary: "2 steps passed", step_results: [{ stdout: "one\n" }, {}] });
  expect(end).toMatchObject({ code: "passed", raw_result: null });
});

test("a flow that returns no report fails its task although its log says that every step has passed", async () => {
  await using it = await given(runsThen(() => ({ success: true, result: { done: true } })));
  const { output, end, told } = await ended(it);
  expect(told).toEqual(["0 passed 0", "1 passed 0", "ended flow_contract_broken"]);
  expect(output).toMatchObject({ ok: false, summary: expect.stringContaining("broke its output contract") });
  expect(JSON.parse(end?.raw_result ?? "")).toMatchObject({ success: true, result: { done: true } });
});

describe("a job has crashed", () => {
  test("when its script throws", async () => {
    await using it = await given(throws("TypeError", "steps is not iterable"));
    const { output, end, told } = await ended(it);
    expect(told).toEqual(["0 failed null", "ended flow_crashed"]);
    expect(end?.message).toContain("TypeError: steps is not iterable");
    expect(output.step_results[0]?.stderr).toContain("TypeError: steps is not iterable");
  });

  test("when its script was killed, and its log gives the state of each step", async () => {
    await using it = await startJob({ steps: [cmd("echo one"), cmd("sleep 30"), check("test -d /")], work: null });
    await expect.poll(() => it.lines, LONG).toContain("orch: step 1 cmd started");
    await it.engine.killScript(it.jobId());
    expect(FlowOutput.parse(await it.output)).toMatchObject({
      ok: false,
      summary: expect.stringContaining("ExitCode: SIGKILL"),
      step_results: [{ index: 0, status: "passed", stderr: expect.stringContaining("is lost") }, { index: 1 }],
      evidence: { executed_commands: ["echo one", "sleep 30"] },
    });
    expect(it.told.slice(1)).toEqual(["0 passed 0", "1 failed null", "ended flow_crashed"]);
  });

  test("when its worker died and the engine failed it", async () => {
    await using it = await startJob({ steps: [cmd("sleep 30"), check("test -d /")], work: null });
    await expect.poll(() => it.lines, LONG).toContain("orch: step 0 cmd started");
    await it.engine.killWorker(it.jobId(), "fails");
    await it.output;
    expect(it.end()).toMatchObject({ code: "flow_crashed", message: expect.stringContaining("Job timed out") });
  });
});

describe("a result that is large", () => {
  const passed = { status: "passed", exit_code: 0 };
  const step_results = [{ ...passed, stdout: "x".repeat(30_000) }, passed];
  const large = { ok: true, summary: "2 steps passed", step_results };

  test("is fetched separately where the engine has sent a placeholder, and again after a failed fetch", async () => {
    await using it = await given(returns("WINDMILL_TOO_BIG"));
    it.engine.fault("result", refuses(text("pool timed out", 500)), 1);
    it.engine.fault("result", cutsMidAnswer, 1);
    it.engine.fault("result", refuses(text(JSON.stringify(large))));
    const { output, told } = await ended(it);
    expect([output.step_results[0]?.stdout.length, told.at(-1)]).toEqual([30_000, "ended passed"]);
    expect(sent(it.engine, "result")).toHaveLength(3);
  });

  test.each([
    ["in its place", returns(large)],
    ["when it is fetched", returns("WINDMILL_TOO_BIG")],
  ])("fails the task when it is larger than the limit: %s", async (_where, work) => {
    await using it = await given(work, {}, { max_bytes: 10_000 });
    it.engine.fault("result", refuses(text(JSON.stringify(large))));
    const { output, end, told } = await ended(it);
    expect(told).toEqual(["0 failed null", "ended flow_result_too_large"]);
    expect(end).toMatchObject({ message: expect.stringContaining("10000 bytes"), raw_result: null });
    expect(output.ok).toBe(false);
  });
});
