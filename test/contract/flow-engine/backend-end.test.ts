// Every way in which a job can end: what the engine stores, and the resulting states of the steps and the task. The
// failure shapes are those of the engine's reference.
import { describe, expect, test } from "vitest";
import { FlowOutput } from "../../../src/domain/run-request.ts";
import { createRedactor } from "../../../src/redact/find-secrets.ts";
import { cutsMidAnswer, refuses } from "../../simulators/flow-engine/faults.ts";
import { endsAs, returns, runsThen, throws, type Work } from "../../simulators/flow-engine/worker.ts";
import { check, cmd } from "../../support/builders.ts";
import { type EngineRun, startEngineRun } from "../../support/engine-run.ts";
import { text } from "../../support/request-recorder.ts";

const STEPS = [cmd("echo one"), check("test -d /")];
const passed = { status: "passed", exit_code: 0 };

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

describe("a flow that breaks its output contract", () => {
  test("fails its task when it returns anything but a report", async () => {
    await using it = await given(returns(42));
    const { output, end, told } = await ended(it);
    expect(told).toEqual(["0 failed null", "ended flow_contract_broken"]);
    expect(output).toMatchObject({ ok: false, summary: expect.stringContaining("broke its output contract") });
    expect(JSON.parse(end?.raw_result ?? "")).toMatchObject({ success: true, result: 42 });
  });

  test("fails its task although its log says that every step has passed", async () => {
    await using it = await given(runsThen(() => ({ success: true, result: { done: true } })));
    expect((await ended(it)).told).toEqual(["0 passed 0", "1 passed 0", "ended flow_contract_broken"]);
  });

  test("has the head and tail of its result stored, without secrets", async () => {
    const result = { said: `begin engine-token ${"x".repeat(200_000)} end` };
    await using it = await given(returns(result), {}, { redact: createRedactor(["engine-token"]) });
    const { end } = await ended(it);
    expect(end?.raw_result).toMatch(/begin \[redacted\] x+\n\[\.\.\. \d+ bytes left out \.\.\.\]\nx+ end"/);
    expect(end?.raw_result?.length).toBeLessThan(70_000);
  });
});

describe("a job that ends without a report", () => {
  test.each<[string, Work, string]>([
    ["a script that throws", throws("TypeError", "steps is not iterable"), "TypeError: steps is not iterable"],
    ["a script that says no more", endsAs({ success: false, result: null }), "without a reason"],
  ])("has crashed: %s", async (_what, work, words) => {
    await using it = await given(work);
    const { output, end, told } = await ended(it);
    expect(told).toEqual(["0 failed null", "ended flow_crashed"]);
    expect(end?.message).toContain(words);
    expect(output.step_results[0]?.stderr).toContain(words);
  });

  test("has crashed after the script was killed, and its log gives the state of each step", async () => {
    await using it = await startEngineRun();
    const output = it.run([cmd("echo one"), cmd("sleep 30"), check("test -d /")]);
    await expect.poll(() => it.lines, { timeout: 10_000 }).toContain("orch: step 1 cmd started");
    await it.engine.killScript(it.engine.jobs[0]?.id ?? "");
    expect(FlowOutput.parse(await output)).toMatchObject({
      ok: false,
      summary: expect.stringContaining("ExitCode: SIGKILL"),
      step_results: [{ index: 0, status: "passed", stderr: expect.stringContaining("is lost") }, { index: 1 }],
      evidence: { executed_commands: ["echo one", "sleep 30"] },
    });
    expect(it.told.slice(1)).toEqual(["0 passed 0", "1 failed null", "ended flow_crashed"]);
  });

  test("has crashed when its worker died and the engine failed it", async () => {
    await using it = await startEngineRun();
    const output = it.run([cmd("sleep 30"), check("test -d /")]);
    await expect.poll(() => it.lines, { timeout: 10_000 }).toContain("orch: step 0 cmd started");
    await it.engine.killWorker(it.engine.jobs[0]?.id ?? "", "fails");
    await output;
    expect(it.end()).toMatchObject({ code: "flow_crashed", message: expect.stringContaining("Job timed out") });
  });
});

describe("a result that is large", () => {
  const large = {
    ok: true,
    summary: "2 steps passed",
    step_results: [{ ...passed, stdout: "x".repeat(30_000) }, passed],
  };

  test("is fetched separately where the engine has sent a placeholder", async () => {
    await using it = await given(returns("WINDMILL_TOO_BIG"));
    it.engine.fault("result", refuses(text(JSON.stringify(large))));
    const { output } = await ended(it);
    expect(output.step_results[0]?.stdout).toHaveLength(30_000);
  });

  test("is fetched again after a failed fetch", async () => {
    await using it = await given(returns("WINDMILL_TOO_BIG"));
    it.engine.fault("result", refuses(text("pool timed out", 500)), 1);
    it.engine.fault("result", cutsMidAnswer, 1);
    it.engine.fault("result", refuses(text(JSON.stringify(large))));
    expect((await ended(it)).told.at(-1)).toBe("ended passed");
    expect(it.engine.requests.filter(({ kind }) => kind === "result")).toHaveLength(3);
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

  test("is cut for each step like any output", async () => {
    await using it = await startEngineRun();
    const output = await it.run([cmd("head -c 200000 /dev/zero | tr '\\0' x; echo end"), check("test -d /")]);
    expect(output.step_results[0]).toMatchObject({ stdout_bytes: 200_004, truncated: true });
    expect(output.step_results[0]?.stdout).toMatch(/^x+\n\[\.\.\. \d+ bytes left out \.\.\.\]\nx+end\n$/);
  });
});
