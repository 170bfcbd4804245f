// What a job waits for while it does not go on: orch reports each change of it once, and counts how often it has asked.
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../src/redact/find-secrets.ts";
import { cutsBefore, type Fault, refuses } from "../../simulators/flow-engine/faults.ts";
import type { Ending } from "../../simulators/flow-engine/jobs.ts";
import { check, cmd } from "../../support/builders.ts";
import { lastJob, runnerOn, startEngineRun } from "../../support/engine-run.ts";
import { html, json, text } from "../../support/request-recorder.ts";

const step = (index: number, kind = "cmd") => ({ index, kind, status: "passed", exit_code: 0, stdout: "", stderr: "" });
const PASSED: Ending = {
  success: true,
  result: { ok: true, summary: "2 steps passed", step_results: [step(0), step(1, "check")] },
};
const PATIENT = { timeout: 20_000 };
const STEPS = [cmd("true"), check("test -d /")];

/** A job that a worker has taken, and that ends when it is let go. */
async function running(over: Parameters<typeof startEngineRun>[1] = {}) {
  const it = await startEngineRun({}, over);
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  it.engine.give(() => until.then(() => PASSED));
  const output = it.run(STEPS);
  await expect.poll(() => it.engine.requests.filter(({ kind }) => kind === "job").length, PATIENT).toBeGreaterThan(1);
  return { ...it, output, letGo, [Symbol.asyncDispose]: it[Symbol.asyncDispose] };
}

describe("a fault of the engine while a job runs", () => {
  test.each<[string, Fault, string, string]>([
    ["a token that is refused", refuses(text("Unauthorized", 401)), "engine_refuses", "HTTP 401 Unauthorized"],
    ["an engine that fails", refuses(text("boom", 500)), "engine_unavailable", "the flow engine fails: HTTP 500 boom"],
    ["an engine that cannot be reached", cutsBefore, "engine_unavailable", "answer"],
    ["the page of a gateway", refuses(html("<h1>Log in</h1>")), "engine_unavailable", "not one of a flow engine"],
  ])("is reported once with its reason, and once when it is over: %s", async (_what, fault, on, words) => {
    await using it = await running();
    const off = it.engine.fault("any", fault);
    const id = it.engine.jobs[0]?.id ?? "";
    await expect.poll(() => it.triesFor(id), PATIENT).toBeGreaterThan(3);
    expect(it.waits.slice(1)).toEqual([expect.stringContaining(words)]);
    expect(it.waits[1]).toMatch(new RegExp(`^${on}: `));
    off();
    await expect.poll(() => it.waits.length, PATIENT).toBe(3);
    it.letGo();
    expect(await it.output).toMatchObject({ ok: true });
    expect(it.waits.at(-1)).toBe("goes on");
    expect(it.triesFor(id)).toBe(0);
  });

  test("is not reported when the next request is answered", async () => {
    await using it = await running();
    it.engine.fault("poll", refuses(text("boom", 502)), 1);
    it.engine.fault("job", refuses(text("boom", 502)), 1);
    const before = it.engine.requests.length;
    await expect.poll(() => it.engine.requests.length, PATIENT).toBeGreaterThan(before + 4);
    it.letGo();
    await it.output;
    expect(it.waits).toEqual(["goes on"]);
  });

  test("is reported without a secret", async () => {
    await using it = await running({ redact: createRedactor(["engine-token"]) });
    it.engine.fault("any", refuses(text("no such token: engine-token", 401)));
    await expect.poll(() => it.waits.length, PATIENT).toBe(2);
    expect(it.waits.join()).not.toContain("engine-token");
    expect(it.waits[1]).toContain("no such token");
  });
});

test("a job in the queue is reported as queued, with the tag that no worker serves", async () => {
  await using it = await startEngineRun();
  it.engine.give(() => PASSED);
  it.engine.hold();
  const output = it.run(STEPS);
  await expect
    .poll(() => it.waits, PATIENT)
    .toEqual([expect.stringMatching(/^queue: .*no worker with the tag "flow" has taken/)]);
  it.engine.release();
  expect(await output).toMatchObject({ ok: true });
  expect(it.waits.at(-1)).toBe("goes on");
});

test("an engine that takes no job yet is reported while it is asked again", async () => {
  await using it = await startEngineRun({}, { timing: { poll_ms: 10, submit_ms: 5_000 } });
  it.engine.give(() => PASSED);
  await it.engine.stop();
  const output = it.run(STEPS);
  await expect
    .poll(() => it.waits, PATIENT)
    .toEqual([expect.stringMatching(/^engine_unavailable: .* cannot be reached: .*ECONNREFUSED/)]);
  await it.engine.start();
  expect(await output).toMatchObject({ ok: true });
});

test("a job that a new server cannot find yet is reported", async () => {
  await using it = await running();
  it.leave();
  await it.output;
  const off = it.engine.fault("any", refuses(text("Unauthorized", 401)));
  const next = runnerOn(it.engine);
  const last_job = lastJob(it.engine, it.engine.jobs[0]?.id ?? "", STEPS);
  const output = next.run(STEPS, { last_job, started_at: new Date().toISOString() });
  await expect.poll(() => next.waits, PATIENT).toEqual([expect.stringContaining("HTTP 401")]);
  off();
  it.letGo();
  expect(await output).toMatchObject({ ok: true });
  await next.close();
});

test("an id that is no id never becomes part of an address", async () => {
  await using it = await running();
  const modules = [
    { type: "InProgress", id: "run_steps", job: "x/../../../variables/get_value/f/voice/account_cookie?" },
  ];
  const flow_status = { step: 0, modules, failure_module: { type: "WaitingForPriorSteps", id: "failure" } };
  const off = it.engine.fault("job", refuses(json({ type: "QueuedJob", running: true, flow_status })));
  const before = it.engine.requests.length;
  await expect
    .poll(() => it.engine.requests.slice(before).filter(({ kind }) => kind === "job").length, PATIENT)
    .toBeGreaterThan(2);
  expect(
    it.engine.requests
      .slice(before)
      .map(({ url }) => url)
      .join("\n"),
  ).not.toContain("account_cookie");
  off();
  it.letGo();
  await it.output;
});

describe("an answer that leaves out whether the job succeeded", () => {
  const silent = refuses(json({ completed: true, result: PASSED.result }));

  test("is completed by the view of the job", async () => {
    await using it = await running();
    it.engine.fault("poll", silent);
    it.letGo();
    expect(await it.output).toMatchObject({ ok: true });
  });

  test("is not called a failure of the job where the view does not say it either", async () => {
    await using it = await running();
    it.engine.fault("poll", silent);
    it.engine.fault("job", refuses(text("forbidden", 403)));
    await it.output;
    expect(it.end()).toMatchObject({ code: "flow_not_ok", message: expect.stringContaining("does not say whether") });
  });
});
