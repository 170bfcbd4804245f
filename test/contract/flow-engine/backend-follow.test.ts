// What becomes of a job that the engine has accepted, when the engine or the way to it fails in between. The job runs on
// its own: it is waited for and never made a second time.
import { describe, expect, test } from "vitest";
import {
  answersAfter,
  cutsBefore,
  cutsMidAnswer,
  type Fault,
  ignores,
  refuses,
} from "../../simulators/flow-engine/faults.ts";
import type { Ending } from "../../simulators/flow-engine/jobs.ts";
import { check, cmd } from "../../support/builders.ts";
import { IMPATIENT, lastJob, runnerOn, startEngineRun } from "../../support/engine-run.ts";
import { empty, html, text } from "../../support/request-recorder.ts";

const step = (index: number, kind = "cmd") => ({ index, kind, status: "passed", exit_code: 0, stdout: "", stderr: "" });
const PASSED: Ending = {
  success: true,
  result: { ok: true, summary: "2 steps passed", step_results: [step(0), step(1, "check")] },
};
const STEPS = [cmd("true"), check("test -d /")];

/** A job that takes a while, and ends when it is let go. */
async function running(timing = IMPATIENT) {
  const it = await startEngineRun({}, { timing });
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  it.engine.give(() => until.then(() => PASSED));
  const output = it.run(STEPS);
  // The answer to its submit has arrived.
  await expect.poll(() => it.engine.requests.filter(({ kind }) => kind === "job").length).toBeGreaterThan(0);
  return { ...it, output, letGo, [Symbol.asyncDispose]: it[Symbol.asyncDispose] };
}

describe("a look that fails is made again", () => {
  test.each<[string, Fault]>([
    ["a connection that is cut", cutsBefore],
    ["an answer that is cut", cutsMidAnswer],
    ["an answer that never comes", ignores],
    ["an answer that is too slow", answersAfter(500)],
    ["a limit on requests", refuses(empty(429, { "retry-after": "0" }))],
    ["an engine that fails", refuses(text("boom", 500))],
    ["the page of a proxy", refuses(html("<h1>Bad Gateway</h1>", 502))],
    ["a page in place of an answer", refuses(html("<h1>Log in</h1>"))],
    ["a token that is refused for a moment", refuses(text("Unauthorized", 401))],
    ["a job that is not there for a moment", refuses(text("not found", 404))],
  ])("%s", async (_what, fault) => {
    await using it = await running({ ...IMPATIENT, lost_ms: 10_000, missing_ms: 10_000 });
    it.engine.fault("any", fault, 3);
    setTimeout(it.letGo, 50);
    expect(await it.output).toMatchObject({ ok: true });
    expect(it.engine.counts()).toMatchObject({ accepted: 1, run_requests: 1 });
  });

  test("an engine that is started anew meanwhile", async () => {
    await using it = await running();
    await it.engine.stop();
    it.letGo();
    setTimeout(() => void it.engine.start(), 200);
    expect(await it.output).toMatchObject({ ok: true });
    expect(it.engine.counts()).toMatchObject({ accepted: 1, run_requests: 1 });
  });

  test("a job that is there only after a while", async () => {
    await using it = await startEngineRun();
    it.engine.appearLate(4);
    it.engine.give(() => PASSED);
    expect(await it.run(STEPS)).toMatchObject({ ok: true });
  });
});

describe("a job that cannot be seen any more is of unknown outcome, which the supervisor is asked about", () => {
  test.each<[string, Fault, string]>([
    ["because the engine is away for too long", cutsBefore, "there was no response"],
    ["because the token is not taken any more", refuses(text("Unauthorized", 401)), "401"],
    ["because something else answers there now", refuses(html("<h1>Welcome</h1>")), "not one of a flow engine"],
  ])("%s", async (_what, fault, words) => {
    await using it = await running();
    it.engine.fault("any", fault);
    const output = await it.output;
    expect(it.told).toEqual(["started 0/1 through 1", "0 outcome_unknown null", "ended lost"]);
    expect(it.end()?.message).toContain(words);
    expect(output.step_results[0]?.stderr).toContain("later steps may have run too");
    expect(it.engine.counts()).toMatchObject({ accepted: 1, run_requests: 1 });
  });

  test("because the engine has forgotten it", async () => {
    await using it = await running();
    await expect.poll(() => it.engine.requests.some(({ kind }) => kind === "job")).toBe(true);
    it.engine.forget(it.engine.jobs[0]?.id ?? "");
    await it.output;
    expect(it.end()).toMatchObject({ code: "lost", message: expect.stringContaining("does not know the job") });
  });
});

describe("a clock that is far off", () => {
  test.each(["2001-01-01T00:00:00Z", "2099-12-31T23:59:59Z"])(
    "that of the engine at %s changes nothing",
    async (at) => {
      await using it = await startEngineRun({ clock: () => new Date(at) });
      it.engine.give(() => PASSED);
      expect(await it.run(STEPS)).toMatchObject({ ok: true });
    },
  );

  test("our own, set back while the job runs, changes nothing", async () => {
    let now = Date.parse("2026-03-06T09:00:00Z");
    await using it = await startEngineRun({}, { clock: () => new Date(now) });
    it.engine.give(async () => {
      now -= 3_600_000;
      return PASSED;
    });
    expect(await it.run(STEPS)).toMatchObject({ ok: true });
  });
});

describe("a server that leaves", () => {
  test("lets the job go on, and the next one finds it again", async () => {
    await using it = await running();
    it.leave();
    expect(await it.output).toMatchObject({ ok: false, step_results: [] });
    expect(it.told).toEqual(["started 0/1 through 1"]);
    expect(it.engine.jobs[0]?.canceled).toBeNull();
  });

  test.each(["that runs still", "that has ended since"])("a job %s is found under its id", async (state) => {
    await using it = await running();
    it.leave();
    await it.output;
    const [{ id: job_id = "" } = {}] = it.engine.jobs;
    if (state === "that runs still") setTimeout(it.letGo, 100);
    else it.letGo();
    const next = runnerOn(it.engine);
    const last_job = lastJob(it.engine, job_id, STEPS);
    expect(await next.run(STEPS, { last_job, started_at: new Date().toISOString() })).toMatchObject({ ok: true });
    await next.close();
    expect(next.told).toEqual(["0 passed 0", "1 passed 0", "ended passed"]);
    expect(it.engine.counts()).toMatchObject({ accepted: 1, run_requests: 1 });
  });
});
