// Follows a job that the engine has accepted while the engine or the connection fails. The job keeps running: orch waits for it and
// never creates a second one.
import { describe, expect, test } from "vitest";
import {
  answersAfter,
  cutsBefore,
  cutsMidAnswer,
  type Fault,
  ignores,
  refuses,
} from "../../../../../test/simulators/flow-engine/faults.ts";
import { check, cmd } from "../../../../../test/support/builders.ts";
import { empty, html, json, text } from "../../../../../test/support/request-recorder.ts";
import { createRedactor } from "../../../../redact/find-secrets.ts";
import { goOn, IMPATIENT, LONG, PASSED, PATIENT, STEPS, sent, startEngineRun, startJob } from "./engine-run.ts";

const ONE_JOB = { accepted: 1, run_requests: 1 };

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
    await using it = await startJob({ timing: { ...IMPATIENT, lost_ms: 10_000, missing_ms: 10_000 } });
    it.engine.fault("any", fault, 3);
    setTimeout(it.letGo, 50);
    expect(await it.output).toMatchObject({ ok: true });
    expect(it.engine.counts()).toMatchObject(ONE_JOB);
  });

  test("an engine that is started anew meanwhile", async () => {
    await using it = await startJob();
    await it.engine.stop();
    it.letGo();
    setTimeout(() => void it.engine.start(), 200);
    expect(await it.output).toMatchObject({ ok: true });
    expect(it.engine.counts()).toMatchObject(ONE_JOB);
  });

  test("a job that is there only after a while", async () => {
    await using it = await startEngineRun();
    it.engine.appearLate(4);
    it.engine.give(() => PASSED);
    expect(await it.run(STEPS)).toMatchObject({ ok: true });
  });
});

describe("a job that cannot be seen any more is of unknown outcome, which the supervisor is asked about", () => {
  test.each<[string, Fault | null, string]>([
    ["because the engine is away for too long", cutsBefore, "there was no response"],
    ["because the token is not taken any more", refuses(text("Unauthorized", 401)), "401"],
    ["because something else answers there now", refuses(html("<h1>Welcome</h1>")), "not one of a flow engine"],
    ["because the engine has forgotten it", null, "does not know the job"],
  ])("%s", async (_what, fault, words) => {
    await using it = await startJob();
    if (fault === null) it.engine.forget(it.jobId());
    else it.engine.fault("any", fault);
    const output = await it.output;
    expect(it.told).toEqual(["started 0/1 through 1", "0 outcome_unknown null", "ended lost"]);
    expect(it.end()?.message).toContain(words);
    expect(output.step_results[0]?.stderr).toContain("later steps may have run too");
    expect(it.engine.counts().run_requests).toBe(1);
  });
});

test.each(["2001-01-01T00:00:00Z", "2099-12-31T23:59:59Z"])(
  "a clock of the engine at %s changes nothing",
  async (at) => {
    await using it = await startEngineRun({ clock: () => new Date(at) });
    it.engine.give(() => PASSED);
    expect(await it.run(STEPS)).toMatchObject({ ok: true });
  },
);

test("a clock of our own that is set back while the job runs changes nothing", async () => {
  let now = Date.parse("2026-03-06T09:00:00Z");
  await using it = await startJob({ clock: () => new Date(now) });
  now -= 3_600_000;
  it.letGo();
  expect(await it.output).toMatchObject({ ok: true });
});

describe("a server that leaves", () => {
  test.each(["that runs still", "that has ended since"])(
    "lets a job go on %s, and the next server finds it under its id",
    async (state) => {
      await using it = await startJob();
      it.leave();
      expect(await it.output).toMatchObject({ ok: false, step_results: [] });
      expect([it.told, it.engine.jobs[0]?.canceled]).toEqual([["started 0/1 through 1"], null]);
      if (state === "that runs still") setTimeout(it.letGo, 100);
      else it.letGo();
      const { output, told } = await goOn(it.engine);
      expect(output).toMatchObject({ ok: true });
      expect(told).toEqual(["0 passed 0", "1 passed 0", "ended passed"]);
      expect(it.engine.counts()).toMatchObject(ONE_JOB);
    },
  );
});

describe("progress", () => {
  const ofFlow = (lines: readonly string[]) =>
    lines.filter((line) => line.startsWith("orch: ")).map((line) => line.replace(/ duration_ms=\d+$/, ""));
  const EXPECTED = ["cmd", "cmd", "check"].flatMap((kind, at) => [
    `orch: step ${at} ${kind} started`,
    `orch: step ${at} ${kind} passed exit_code=0`,
  ]);
  const steps = [cmd("echo one"), cmd("sleep 1.5"), check("test -d /")];

  test("is reported line by line, each line once, from the offset that the engine sent last, without output", async () => {
    await using it = await startJob({ steps, work: null, timing: PATIENT });
    await expect.poll(() => it.lines, LONG).toContain("orch: step 1 cmd started");
    expect(it.told, "before the job has ended").toEqual(["started 0/1 through 2"]);
    expect(await it.output).toMatchObject({ ok: true });
    expect(ofFlow(it.lines)).toEqual(EXPECTED);
    expect(it.lines).not.toContain("one");
    const offsets = sent(it.engine, "logs").map(({ url }) =>
      Number(new URL(url, "http://e").searchParams.get("log_offset")),
    );
    expect(offsets.length).toBeGreaterThan(2);
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    expect([offsets[0], offsets.at(-1)]).toEqual([0, expect.toSatisfy((last) => last > 0)]);
  });

  test("is read again from its beginning by the next server, with the same lines", async () => {
    await using it = await startJob({ steps, work: null, timing: PATIENT });
    await expect.poll(() => it.lines, LONG).toContain("orch: step 1 cmd started");
    it.leave();
    await it.output;
    const next = await goOn(it.engine, {}, { steps, timing: PATIENT });
    expect(next.lines.slice(0, it.lines.length)).toEqual(it.lines);
    expect(ofFlow(next.lines)).toEqual(EXPECTED);
  });
});

describe("what a job waits for", () => {
  test.each<[string, Fault, RegExp]>([
    ["a token that is refused", refuses(text("no engine-token", 401)), /^engine_refuses: .*HTTP 401 no \[redacted\]/],
    ["an engine that fails", refuses(text("boom", 500)), /^engine_unavailable: .*the flow engine fails: HTTP 500 boom/],
    ["an engine that cannot be reached", cutsBefore, /^engine_unavailable: .*answer/],
    ["the page of a gateway", refuses(html("<h1>Log in</h1>")), /^engine_unavailable: .*not one of a flow engine/],
  ])("is reported once with its reason, and once when it is over: %s", async (_what, fault, words) => {
    await using it = await startJob({ redact: createRedactor(["engine-token"]) });
    const off = it.engine.fault("any", fault);
    await expect.poll(() => it.triesFor(it.jobId()), LONG).toBeGreaterThan(3);
    expect(it.waits.slice(1)).toEqual([expect.stringMatching(words)]);
    off();
    await expect.poll(() => it.waits.length, LONG).toBe(3);
    it.letGo();
    expect(await it.output).toMatchObject({ ok: true });
    expect([it.waits.at(-1), it.triesFor(it.jobId())]).toEqual(["goes on", 0]);
  });

  test("is not reported when the next request is answered", async () => {
    await using it = await startJob();
    it.engine.fault("poll", refuses(text("boom", 502)), 1);
    it.engine.fault("job", refuses(text("boom", 502)), 1);
    const before = it.engine.requests.length;
    await expect.poll(() => it.engine.requests.length, LONG).toBeGreaterThan(before + 4);
    it.letGo();
    await it.output;
    expect(it.waits).toEqual(["goes on"]);
  });

  test("is the queue, with the tag that no worker serves", async () => {
    await using it = await startEngineRun();
    it.engine.give(() => PASSED);
    it.engine.hold();
    const output = it.run(STEPS);
    const queue = expect.stringMatching(/^queue: .*no worker with the tag "flow" has taken/);
    await expect.poll(() => it.waits, LONG).toEqual([queue]);
    it.engine.release();
    expect(await output).toMatchObject({ ok: true });
    expect(it.waits.at(-1)).toBe("goes on");
  });

  test("is an engine that takes no job yet", async () => {
    await using it = await startEngineRun({}, { timing: { poll_ms: 10, submit_ms: 5_000 } });
    it.engine.give(() => PASSED);
    await it.engine.stop();
    const output = it.run(STEPS);
    const unreachable = expect.stringMatching(/^engine_unavailable: .* cannot be reached: .*ECONNREFUSED/);
    await expect.poll(() => it.waits, LONG).toEqual([unreachable]);
    await it.engine.start();
    expect(await output).toMatchObject({ ok: true });
  });

  test("is an engine that does not show a job to a new server", async () => {
    await using it = await startJob();
    it.leave();
    await it.output;
    const off = it.engine.fault("any", refuses(text("Unauthorized", 401)));
    setTimeout(off, 500);
    it.letGo();
    const { output, waits } = await goOn(it.engine, {}, { timing: PATIENT });
    expect(waits[0]).toContain("HTTP 401");
    expect(output).toMatchObject({ ok: true });
  });
});

test("an id that is no id never becomes part of an address", async () => {
  await using it = await startJob();
  const job = "x/../../../variables/get_value/f/voice/account_cookie?";
  const modules = [{ type: "InProgress", id: "run_steps", job }];
  const flow_status = { step: 0, modules, failure_module: { type: "WaitingForPriorSteps", id: "failure" } };
  const off = it.engine.fault("job", refuses(json({ type: "QueuedJob", running: true, flow_status })));
  const before = sent(it.engine, "job").length;
  await expect.poll(() => sent(it.engine, "job").length, LONG).toBeGreaterThan(before + 2);
  expect(it.engine.requests.map(({ url }) => url).join("\n")).not.toContain("account_cookie");
  off();
  it.letGo();
  await it.output;
});

test.each([
  ["completed by the view of the job", null, "passed", "2 steps passed"],
  ["called no failure where the view does not say it either", text("no", 403), "flow_not_ok", "does not say whether"],
])("an answer that leaves out whether the job succeeded is %s", async (_what, view, code, words) => {
  await using it = await startJob();
  it.engine.fault("poll", refuses(json({ completed: true, result: PASSED.result })));
  if (view !== null) it.engine.fault("job", refuses(view));
  it.letGo();
  await it.output;
  expect(it.end()).toMatchObject({ code, message: expect.stringContaining(words) });
});
