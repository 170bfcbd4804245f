// A worker ends a job by ending the script's process, with or without a warning. Every process of the job ends with it.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { cmd, mcpCall, wait } from "../../../../../test/support/builders.ts";
import { afterHandshake, rpcResult, sendJson, startRawServer } from "../../../../../test/support/tool-server.ts";
import { aMark, markGone, markUp, pidsOf } from "../local/a-command.ts";
import { aJob } from "./a-job.ts";

// A background job, one in a pipeline, a grandchild, and the foreground job. All ignore SIGTERM and SIGHUP.
const family = (mark: string) => `trap '' TERM HUP INT; sleep ${mark} & (sleep ${mark} & wait) | cat &
bash -c 'sleep ${mark} & wait' &
bash -c 'sleep ${mark}; true'`;

test("SIGKILL ends the running command and every process that it has started", async () => {
  const mark = aMark();
  const job = await aJob([cmd("true"), cmd(family(mark)), cmd("true")]);
  await markUp(mark, 4);
  job.child.kill("SIGKILL");
  expect(await job.ended).toBeNull();
  await markGone(mark);
});

test("processes that a command leaves running are ended when it ends, while the job goes on", async () => {
  const mark = aMark();
  const leave = `sleep ${mark} >/dev/null 2>&1 & bash -c 'nohup sleep ${mark} >/dev/null 2>&1 &'; sleep 0.3`;
  const job = await aJob([cmd(leave), wait("1h")]);
  await expect.poll(() => pidsOf(mark).length, { timeout: 10_000, interval: 10 }).toBe(2);
  await expect.poll(job.log, { timeout: 10_000 }).toContain("step 1 wait started");
  await markGone(mark);
  job.child.kill("SIGKILL");
  await job.ended;
});

test("SIGKILL at any moment leaves nothing running", async () => {
  const mark = aMark();
  const jobs = Array.from({ length: 12 }, async (_, n) => {
    await sleep(n * 60);
    const job = await aJob([cmd(`exec sleep ${mark}`)]);
    await expect.poll(job.log, { timeout: 10_000, interval: 1 }).toContain("step 0 cmd started");
    await sleep(n);
    job.child.kill("SIGKILL");
    await job.ended;
  });
  await Promise.all(jobs);
  // The guard needs a moment to notice that the script is dead.
  await sleep(200);
  await markGone(mark);
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s ends the running command and starts no other; the results so far are reported",
  async (signal) => {
    const mark = aMark();
    const job = await aJob([cmd("echo one"), cmd(`echo up; sleep ${mark}`), cmd("echo never")]);
    await markUp(mark);
    job.child.kill(signal);
    const stopped = {
      status: "failed",
      exit_code: null,
      stdout: "up\n",
      stderr: "orch: stopped on request",
      timed_out: false,
    };
    expect(await job.ended).toMatchObject({
      success: true,
      result: {
        ok: false,
        summary: "step 1 (cmd) was ended",
        step_results: [{ status: "passed" }, stopped],
      },
    });
    await markGone(mark);
  },
);

test("SIGTERM, then SIGKILL within the command's grace period, leaves nothing running", async () => {
  const mark = aMark();
  const job = await aJob([cmd(family(mark))]);
  await markUp(mark, 4);
  job.child.kill("SIGTERM");
  await sleep(200);
  expect(pidsOf(mark)).toHaveLength(4);
  job.child.kill("SIGKILL");
  expect(await job.ended).toBeNull();
  await markGone(mark);
});

test("SIGTERM ends a wait", async () => {
  const job = await aJob([wait("1h")]);
  await expect.poll(job.log, { timeout: 10_000 }).toContain("started");
  job.child.kill("SIGTERM");
  expect(await job.ended).toMatchObject({
    result: { step_results: [{ kind: "wait", status: "failed", exit_code: null }] },
  });
});

test("SIGTERM ends a call and sends a cancellation to its server", async () => {
  await using server = await startRawServer(
    afterHandshake(({ body }, response) =>
      body.method === "tools/call" ? undefined : sendJson(response, rpcResult(body.id, {})),
    ),
  );
  const mcp_servers = { notes: { url: server.url, token: "" } };
  const job = await aJob([mcpCall({ tool: "hold" }), cmd("true")], { mcp_servers });
  await expect.poll(() => server.calls().length, { timeout: 10_000 }).toBe(1);
  job.child.kill("SIGTERM");
  const stderr = "orch: stopped on request; whether the tool took effect is not known";
  expect(await job.ended).toMatchObject({
    result: { step_results: [{ status: "outcome_unknown", exit_code: null, stderr }] },
  });
  const told = server.received.map(({ body }) => body?.method);
  expect(told).toEqual([
    ...["initialize", "notifications/initialized", "tools/list", "tools/call"],
    "notifications/cancelled",
  ]);
});
