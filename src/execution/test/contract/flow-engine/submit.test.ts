// Submits a job over a bad connection. If the engine certainly ran nothing, the submit fails with a code. If the request may have
// arrived, orch searches for the job. There are never two jobs.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
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
} from "../../../../../test/simulators/flow-engine/faults.ts";
import { aContract } from "../../../../../test/support/builders.ts";
import { empty, html, json, text } from "../../../../../test/support/request-recorder.ts";
import { createRedactor } from "../../../../redact/find-secrets.ts";
import { backendOn, lastJob, PASSED, STEPS, sent, startEngineRun } from "./engine-run.ts";

async function submitting(fault: Fault | null, times?: number) {
  const it = await startEngineRun({}, { redact: createRedactor(["engine-token"]) });
  const { engine } = it;
  engine.give(() => PASSED);
  if (fault !== null) engine.fault("run", fault, times);
  return it;
}

test("the job has the id that was on record before, and the answer is the flow's [4.flow.invoke] [1.A.6.flow_engine]", async () => {
  await using it = await submitting(null);
  expect(await it.run(STEPS)).toMatchObject({ ok: true, summary: "2 steps passed" });
  expect(it.told).toEqual(["started 0/1 through 1", "0 passed 0", "1 passed 0", "ended passed"]);
  expect(it.jobId()).toBe(it.end()?.job_id);
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
    expect(await it.run(STEPS)).toMatchObject({ ok: true });
    expect(it.engine.counts().accepted).toBe(1);
    expect(it.told.at(-1)).toBe("ended passed");
  });

  test("an engine that is down at first and then comes up", async () => {
    await using it = await submitting(null);
    await it.engine.stop();
    setTimeout(() => void it.engine.start(), 150);
    expect(await it.run(STEPS)).toMatchObject({ ok: true });
    expect(it.engine.counts().accepted).toBe(1);
  });
});

describe("what does not pass has a code, and nothing has run", () => {
  test.each<[string, Fault | null, string, string]>([
    ["a token that the engine does not take", refuses(text("no engine-token", 401)), "engine_refused", "401 no [redac"],
    ["a token without the scope", refuses(text("Permission denied", 403)), "engine_refused", "403"],
    ["a flow that is not there", refuses(text("Flow not found at path f/orch/x", 404)), "flow_not_found", "f/orch/"],
    ["arguments that the engine refuses", refuses(text("invalid args", 400)), "engine_refused", "invalid args"],
    ["a request that is too large for it", refuses(text("length limit exceeded", 413)), "engine_refused", "413"],
    ["a limit on requests that stays", refuses(empty(429, { "retry-after": "3600" })), "engine_unavailable", "429"],
    ["an engine that fails at every try", refuses(text("boom", 500)), "engine_unavailable", "boom"],
    ["a redirect", refuses(empty(302, { location: "http://127.0.0.1:1/" })), "engine_refused", "redirect"],
    ["an engine that is down", null, "engine_unreachable", "ECONNREFUSED"],
  ])("%s", async (_what, fault, code, words) => {
    await using it = await submitting(fault);
    if (fault === null) await it.engine.stop();
    const output = await it.run(STEPS);
    expect(output).toMatchObject({ ok: false, evidence: { executed_commands: [] } });
    expect(it.end()).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(it.told).toEqual(["started 0/1 through 1", "0 failed null", `ended ${code}`]);
    expect(output.step_results[0]?.stderr).toContain(words);
    expect(JSON.stringify([output, it.end()])).not.toContain("engine-token");
    expect(it.engine.counts().accepted).toBe(0);
  });
});

describe("the outcome is unknown, and nothing is submitted under another id", () => {
  test.each<[string, Fault, string, number]>([
    ["a gateway that fails at every try", refuses(text("boom", 504)), "does not know the job", 0],
    ["another id", refuses(text("00000000-0000-4000-8000-000000000009", 201)), "another id", 0],
    ["a page in place of the engine", refuses(html("<html>Sign in</html>")), "is not one of a flow engine", 0],
    ["an engine that is gone since", cutsAfter, "no response", 1],
  ])("%s", async (_what, fault, words, accepted) => {
    await using it = await submitting(async (exchange) => {
      const answer = await fault(exchange);
      if (fault === cutsAfter) await it.engine.stop();
      return answer;
    });
    await it.run(STEPS);
    expect(it.told).toEqual(["started 0/1 through 1", "0 outcome_unknown null", "ended lost"]);
    expect(it.end()?.message).toContain(words);
    expect(new Set(sent(it.engine, "run").map(({ url }) => url)).size).toBe(1);
    expect(it.engine.counts().accepted).toBe(accepted);
  });
});

describe("a job runs where the labels of its task are: they are its tag (D-324)", () => {
  test.each([
    ["no tag without labels", undefined, null],
    ["its label as its tag", ["host:nas"], "host:nas"],
    ["several labels as one tag", ["docker", "host:nas"], "docker+host:nas"],
  ] as const)("it has %s", async (_what, runs_on, tag) => {
    await using it = await submitting(null);
    expect(await it.run(STEPS, { runs_on })).toMatchObject({ ok: true });
    expect(it.engine.jobs.map((job) => job.tag)).toEqual([tag]);
    const headers = { authorization: `Bearer ${it.engine.token}` };
    const shown = await fetch(`${it.engine.url}/api/w/lab/jobs_u/get/${it.jobId()}`, { headers });
    expect(await shown.json()).toMatchObject({ tag: tag ?? "flow" });
  });

  test("it is submitted again with its tag when the response was lost", async () => {
    await using it = await submitting(cutsAfter, 1);
    expect(await it.run(STEPS, { runs_on: ["docker"] })).toMatchObject({ ok: true });
    const tags = sent(it.engine, "run").map(({ url }) => new URL(url, it.engine.url).searchParams.get("tag"));
    expect([new Set(tags), it.engine.jobs.length]).toEqual([new Set(["docker"]), 1]);
  });

  test("it is refused where the engine does not let its token use the tag, and nothing has run", async () => {
    await using it = await startEngineRun({ custom_tags: new Set(["docker"]) });
    it.engine.give(() => PASSED);
    expect(await it.run(STEPS, { runs_on: ["docker"] })).toMatchObject({ ok: true });
    expect(await it.run(STEPS, { runs_on: ["zfs"] })).toMatchObject({ ok: false });
    expect(it.end()).toMatchObject({ code: "engine_refused", message: expect.stringContaining("CUSTOM_TAGS: docker") });
    expect(it.engine.jobs).toHaveLength(1);
  });

  test("the reconcile command of its step runs there too", async () => {
    await using it = await startEngineRun();
    const backend = backendOn(it.engine);
    const last_job = lastJob(it.engine, randomUUID(), STEPS, { state: "lost", seen: false });
    const { signal: leaving } = new AbortController();
    const asked = { task_contract: aContract(), index: 0, attempt: 1, command: "exit 1", runs_on: ["host:nas"] };
    const look = await backend.reconcile?.({ ...asked, leaving, last_job }, new AbortController().signal);
    await backend.close();
    expect(look).toMatchObject({ exit_code: 1 });
    expect(it.engine.jobs.map(({ tag }) => tag)).toEqual(["host:nas"]);
  });
});
