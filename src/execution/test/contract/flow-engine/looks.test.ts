// The looks at the checks of a job: asked for in its input, reported with its end, and made once however it is found again.
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { returns } from "../../../../../test/simulators/flow-engine/worker.ts";
import { check, cmd } from "../../../../../test/support/builders.ts";
import { goOn, LONG, lastJob, startEngineRun } from "./engine-run.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "job-looks-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const at = (name: string) => `'${directory}/${name}'`;
const linesOf = async (name: string) => (await readFile(join(directory, name), "utf8")).trimEnd().split("\n");
const plan = () => [
  cmd(`touch ${at("goal")}`),
  check(`echo x >> ${at("runs")}; test -e ${at("goal")}`),
  check(`cat ${at("runs")} | wc -l; test -n "$ORCH_BEFORE"`),
];
const LOOKED = "looked 1 red, 2 red";

describe("the looks of a job", () => {
  test("are reported before its results, and its checks are given what they printed", async () => {
    await using it = await startEngineRun();
    const steps = plan();
    const output = await it.run(steps, { look_at: [1, 2] });
    expect(it.told.slice(1)).toEqual([LOOKED, "0 passed 0", "1 passed 0", "2 passed 0", "ended passed"]);
    expect(output).toMatchObject({ ok: true });
    expect(await linesOf("runs")).toEqual(["x", "x"]);
  });

  test("are none where the script is older and reports none, or reports what are no looks", async () => {
    for (const before_looks of [undefined, null, [{ step_index: 1 }]]) {
      await using it = await startEngineRun();
      const step_results = ["cmd", "check", "check"].map((kind) => ({ kind, status: "passed", exit_code: 0 }));
      it.engine.give(returns({ ok: true, summary: "", step_results, before_looks }));
      await it.run(plan(), { look_at: [1, 2] });
      expect(it.told.slice(1)).toEqual(["0 passed 0", "1 passed 0", "2 passed 0", "ended passed"]);
    }
  });

  test("are made once when a restarted server finds the job", async () => {
    await using it = await startEngineRun();
    const steps = [...plan(), cmd("sleep 1")];
    const first = it.run(steps, { look_at: [1, 2] });
    await expect.poll(() => it.lines, LONG).toContain("orch: step 3 cmd started");
    it.leave();
    await first;
    const { told } = await goOn(it.engine, { seen: true }, { steps, request: { look_at: [1, 2] } });
    expect([told[0], told.at(-1)]).toEqual([LOOKED, "ended passed"]);
    expect([await linesOf("runs"), it.engine.counts().accepted]).toEqual([["x", "x"], 1]);
  });

  test("are asked for again in a job that never arrived, under its id", async () => {
    await using it = await startEngineRun();
    const steps = plan();
    const last_job = lastJob(it.engine, randomUUID(), steps);
    await it.run(steps, { look_at: [1, 2], last_job, started_at: new Date().toISOString() });
    expect([it.told[0], await linesOf("runs")]).toEqual([LOOKED, ["x", "x"]]);
  });

  test("are reported when a lost job is examined again, and handed to the job after it", async () => {
    await using it = await startEngineRun();
    const steps = plan();
    const red = { answer: "red", exit_code: 1, reason: null, duration_ms: 1 };
    const before_looks = [1, 2].map((step_index) => ({ step_index, ...red, printed: `of ${step_index}` }));
    const step_results = [{ exit_code: 0 }, { status: "failed" }];
    it.engine.give(returns({ ok: false, summary: "", step_results, before_looks }), 1);
    await it.run(steps, { look_at: [1, 2] });
    const request = { first_index: 1, attempt: 2 };
    const { told } = await goOn(it.engine, { state: "lost", look_at: [1, 2] }, { steps, request });
    expect(told[0]).toBe(LOOKED);
    const context = it.engine.jobs[1]?.args["context"];
    expect(context).toMatchObject({ before: '{"1":"of 2"}' });
    expect(context).not.toHaveProperty("look_at");
  });

  test("are lost with a script that is killed, and the job counts as it did before", async () => {
    await using it = await startEngineRun();
    const output = it.run([cmd("sleep 30"), check("test -e /nothing")], { look_at: [1] });
    await expect.poll(() => it.lines, LONG).toContain("orch: step 0 cmd started");
    const isLook = (line: string) => /^orch: check 1 red before the first step duration_ms=\d+$/.test(line);
    expect(it.lines.filter(isLook)).toHaveLength(1);
    await it.engine.killScript(it.jobId());
    await output;
    expect(it.told.slice(1)).toEqual(["0 failed null", "ended flow_crashed"]);
    expect(it.looked).toEqual([]);
  });
});
