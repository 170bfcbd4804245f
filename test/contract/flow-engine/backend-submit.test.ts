// How a job is handed over when the way to the engine is bad: what is certain to have run nothing is a failure with a code,
// what may have arrived is looked for, and in no case are there two jobs (reference: failure shapes, idempotent submit).
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../src/redact/find-secrets.ts";
import {
  answersAfter,
  cutsAfter,
  cutsBefore,
  cutsMidAnswer,
  type Fault,
  ignores,
  neverAnswers,
  refuses,
  says,
} from "../../simulators/flow-engine/faults.ts";
import { returns } from "../../simulators/flow-engine/worker.ts";
import { check, cmd } from "../../support/builders.ts";
import { type EngineRun, startEngineRun } from "../../support/engine-run.ts";
import { empty, html, json, text } from "../../support/request-recorder.ts";

const PASSED = {
  ok: true,
  summary: "1 step passed",
  step_results: [{ index: 0, kind: "cmd", status: "passed", exit_code: 0, stdout: "done\n" }],
  evidence: { executed_commands: ["true"], key_outputs: ["done"] },
};

async function submitting(fault: Fault | null, times?: number): Promise<EngineRun> {
  const run = await startEngineRun();
  run.engine.give(returns(PASSED));
  if (fault !== null) run.engine.fault("run", fault, times);
  return run;
}

test("the job has the id that was on record before, and the answer is the flow's [4.flow.invoke] [1.A.6.flow_engine]", async () => {
  await using it = await submitting(null);
  expect(await it.run([cmd("true")])).toMatchObject({ ok: true, summary: "1 step passed" });
  expect(it.told).toEqual(["started 0/1 through 0", "0 passed 0", "ended passed"]);
  expect(it.engine.jobs[0]?.id).toBe(it.end()?.job_id);
  expect(it.engine.counts()).toMatchObject({ accepted: 1, run_requests: 1 });
});

describe("what passes is waited out, with one job in the end", () => {
  test.each<[string, Fault]>([
    ["a limit on requests", refuses(empty(429, { "retry-after": "0" }))],
    ["a limit that names no time", refuses(empty(429))],
    ["a proxy without an engine behind it", refuses(html("<h1>Bad Gateway</h1>", 502))],
    ["an engine that is starting", refuses(text("", 503))],
    ["an engine that fails", refuses(json({ error: { message: "pool timed out" } }, 500))],
    ["a connection that is cut before the engine has read", cutsBefore],
    ["a connection that is cut before the answer", cutsAfter],
    ["a connection that is cut in the answer", cutsMidAnswer],
    ["an answer that never comes to a request that arrived", neverAnswers],
    ["an answer that never comes to a request that did not arrive", ignores],
    ["an answer that is too slow", answersAfter(600)],
    ["an error told of a job that was accepted", says(text("upstream timed out", 504))],
  ])("%s", async (_what, fault) => {
    await using it = await submitting(fault, 1);
    expect(await it.run([cmd("true")])).toMatchObject({ ok: true });
    expect(it.engine.counts().accepted).toBe(1);
    expect(it.told.at(-1)).toBe("ended passed");
  });
});

describe("what does not pass has a code, and nothing has run", () => {
  test.each<[string, Fault, string, string]>([
    ["a token that the engine does not take", refuses(text("Unauthorized", 401)), "engine_refused", "401"],
    ["a token without the scope", refuses(text("Permission denied", 403)), "engine_refused", "403"],
    ["a flow that is not there", refuses(text("Flow not found at path f/orch/x", 404)), "flow_not_found", "f/orch/"],
    ["arguments that the engine refuses", refuses(text("invalid args", 400)), "engine_refused", "invalid args"],
    ["a request that is too large for it", refuses(text("length limit exceeded", 413)), "engine_refused", "413"],
    ["a limit on requests that stays", refuses(empty(429, { "retry-after": "3600" })), "engine_unavailable", "429"],
    ["an engine that fails at every try", refuses(text("boom", 500)), "engine_unavailable", "boom"],
    ["a redirect", refuses(empty(302, { location: "http://127.0.0.1:1/" })), "engine_refused", "redirect"],
  ])("%s", async (_what, fault, code, words) => {
    await using it = await submitting(fault);
    const output = await it.run([cmd("true"), check("test -d /")]);
    expect(output).toMatchObject({ ok: false, evidence: { executed_commands: [] } });
    expect(it.end()).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(it.told).toEqual(["started 0/1 through 1", "0 failed null", `ended ${code}`]);
    expect(output.step_results[0]?.stderr).toContain(words);
    expect(it.engine.counts().accepted).toBe(0);
  });

  test("an engine that is down", async () => {
    await using it = await submitting(null);
    await it.engine.stop();
    await it.run([cmd("true")]);
    expect(it.end()).toMatchObject({
      code: "engine_unreachable",
      message: expect.stringContaining("ECONNREFUSED"),
    });
    await it.engine.start();
  });
});

test("an engine that is down at first and then comes up gets one job", async () => {
  await using it = await submitting(null);
  await it.engine.stop();
  setTimeout(() => void it.engine.start(), 150);
  expect(await it.run([cmd("true")])).toMatchObject({ ok: true });
  expect(it.engine.counts().accepted).toBe(1);
});

test("a job that may have arrived, at an engine that is gone since, is of unknown outcome and not submitted under another id", async () => {
  await using it = await submitting(async (exchange) => {
    await cutsAfter(exchange);
    await it.engine.stop();
  }, 1);
  await it.run([cmd("true"), check("test -d /")]);
  expect(it.told).toEqual(["started 0/1 through 1", "0 outcome_unknown null", "ended lost"]);
  expect(it.engine.counts().accepted).toBe(1);
  await it.engine.start();
});

test("a gateway that fails at every try, and an engine that never shows the job, leave its outcome unknown", async () => {
  await using it = await submitting(refuses(text("boom", 504)));
  await it.run([cmd("true")]);
  expect(it.end()).toMatchObject({ code: "lost" });
  expect(new Set(it.engine.requests.filter(({ kind }) => kind === "run").map(({ url }) => url)).size).toBe(1);
  expect(it.engine.counts().accepted).toBe(0);
});

test("a job that the engine runs under another id is not taken for the submitted one", async () => {
  await using it = await submitting(refuses(text("00000000-0000-4000-8000-000000000009", 201)));
  await it.run([cmd("true")]);
  expect(it.end()).toMatchObject({ code: "lost" });
  expect(it.end()?.message).toContain("another id");
});

test("a page in place of the engine is not taken for a job under another id", async () => {
  await using it = await submitting(refuses(html("<!doctype html><html>Sign in</html>")));
  await it.run([cmd("true")]);
  expect(it.end()).toMatchObject({ code: "lost" });
  expect(it.end()?.message).toContain("the response to the submission is not one of a flow engine");
  expect(it.end()?.message).not.toContain("another id");
});

test("what the engine says is redacted before anyone sees it", async () => {
  await using it = await startEngineRun({}, { redact: createRedactor(["engine-token"]) });
  it.engine.fault("run", refuses(text("no such token: engine-token", 401)));
  const output = await it.run([cmd("true")]);
  expect(JSON.stringify([output, it.end()])).not.toContain("engine-token");
  expect(it.end()?.message).toContain("401");
});
