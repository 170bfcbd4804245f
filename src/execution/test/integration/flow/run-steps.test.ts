// The flow's script as a job of the engine: its log, the environment of its commands, and its processes.
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { check, cmd, mcpCall, wait } from "../../../../../test/support/builders.ts";
import { FlowOutput } from "../../../../domain/run-request.ts";
import { main } from "../../../flow/f/orch/execute_task_steps.flow/run_steps.ts";
import { aJob, argumentsFor, childrenOf } from "./a-job.ts";

test("the flow's script logs the start and the end of each step, and nothing else", async () => {
  const steps = [cmd("echo said"), check("test -d /"), wait("5ms"), mcpCall({ server: "none" }), cmd("true")];
  const job = await aJob(steps);
  await job.ended;
  const lines = job.log().trimEnd().split("\n");
  const ends = lines.map((line) => line.replace(/duration_ms=\d+$/, "duration_ms=N"));
  expect(ends).toEqual([
    "orch: step 0 cmd started",
    "orch: step 0 cmd passed exit_code=0 duration_ms=N",
    "orch: step 1 check started",
    "orch: step 1 check passed exit_code=0 duration_ms=N",
    "orch: step 2 wait started",
    "orch: step 2 wait passed exit_code=0 duration_ms=N",
    "orch: step 3 mcp_call started",
    "orch: step 3 mcp_call failed exit_code=1 duration_ms=N",
  ]);
});

test("the flow's script logs the duration that it reports, and no exit code where there is none", async () => {
  const job = await aJob([cmd("sleep 0.05; kill -KILL $$")]);
  const [result] = FlowOutput.parse((await job.ended)?.result).step_results;
  expect(result?.duration_ms).toBeGreaterThanOrEqual(49);
  expect(job.log()).toContain(`step 0 cmd failed exit_code=none duration_ms=${result?.duration_ms}\n`);
});

test("the flow's script reports when each step began, one after the other", async () => {
  const before = new Date().toISOString();
  const output = FlowOutput.parse((await (await aJob([wait("30ms"), cmd("true")])).ended)?.result);
  const [first = "", second = ""] = output.step_results.map(({ started_at }) => started_at);
  expect([before, first, second, new Date().toISOString()].sort()).toEqual([before, first, second, expect.anything()]);
  expect(Date.parse(second) - Date.parse(first)).toBeGreaterThanOrEqual(29);
});

test("the flow's script passes only HOME, USER and TZ of the worker's environment to a command", async () => {
  const worker = { WM_TOKEN: "token-of-the-job", BASE_INTERNAL_URL: "http://x", BASH_ENV: "/etc/passwd", LD_X: "1" };
  const job = await aJob([cmd("env | cut -d= -f1 | sort | tr '\\n' ' '; echo $HOME")], {
    env: { ...worker, HOME: "/var", USER: "someone", TZ: "UTC" },
  });
  const output = FlowOutput.parse((await job.ended)?.result);
  expect(output.step_results[0]?.stdout).toBe(
    "DEBIAN_FRONTEND GIT_PAGER GIT_TERMINAL_PROMPT HOME LANG ORCH_PAYLOAD ORCH_TARGET_SERVICE ORCH_TASK_ID PATH PWD SHLVL TZ USER _ /var\n",
  );
});

test("the flow's script hands on the trace that its context names, and ignores a text that is none", async () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  for (const [given, expected] of [
    [traceparent, traceparent],
    ["$(id)", "none"],
  ]) {
    const job = await aJob([cmd("printenv TRACEPARENT || echo none")], { context: { traceparent: given } });
    expect(FlowOutput.parse((await job.ended)?.result).step_results[0]?.stdout).toBe(`${expected}\n`);
  }
});

test.each(["", "/", "relative"])("the flow's script uses /tmp for a home that is %j", async (HOME) => {
  const job = await aJob([cmd("echo $HOME; pwd")], { env: { HOME } });
  expect(FlowOutput.parse((await job.ended)?.result).step_results[0]?.stdout).toBe("/tmp\n/tmp\n");
});

test("a guard process in its own session watches the script's commands, and ends with the script", async () => {
  const job = await aJob([cmd("sleep 0.5"), wait("700ms")]);
  const children = () => childrenOf(job.child.pid);
  // A process that was just started is still in its parent's session.
  const apart = () => children().map(({ pid, group, session }) => group === pid && session === pid);
  await expect.poll(apart, { timeout: 10_000, interval: 5 }).toEqual([true, true]);
  const both = children().map(({ pid }) => pid);
  await expect.poll(job.log, { timeout: 10_000, interval: 10 }).toContain("step 1 wait started");
  const [guard, ...more] = children();
  expect([both.includes(guard?.pid ?? 0), more]).toEqual([true, []]);
  expect(await job.ended).toMatchObject({ success: true, result: { ok: true } });
  expect(existsSync(`/proc/${guard?.pid}`)).toBe(false);
});

test("the flow's script reports the same result when a command kills its guard", async () => {
  const script = "for pid in $(ps -o pid= --ppid $PPID); do [ $pid = $$ ] || kill -KILL $pid; done; echo done";
  const job = await aJob([cmd(script), cmd("echo next")]);
  expect(await job.ended).toMatchObject({
    result: { ok: true, step_results: [{ stdout: "done\n" }, { stdout: "next\n" }] },
  });
});

test("the flow's script is an entry point with the arguments of the flow", () => {
  expect(main.toString()).toMatch(/^async function main\(task_contract, steps, context\)/);
  expect(Object.keys(argumentsFor([]))).toEqual(["task_contract", "steps", "context"]);
});
