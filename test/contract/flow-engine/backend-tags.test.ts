// A job runs where the labels of its task are: they are its tag, by which the engine's workers take it (D-324).
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createFlowEngineBackend } from "../../../src/execution/execution.ts";
import { cutsAfter } from "../../simulators/flow-engine/faults.ts";
import { aContract, check, cmd } from "../../support/builders.ts";
import { IMPATIENT, lastJob, startEngineRun } from "../../support/engine-run.ts";

const STEPS = [cmd("true"), check("test -d /")];

test.each([
  ["no tag without labels", undefined, null],
  ["its label as its tag", ["host:nas"], "host:nas"],
  ["several labels as one tag", ["docker", "host:nas"], "docker+host:nas"],
] as const)("a job has %s", async (_what, runs_on, tag) => {
  await using it = await startEngineRun();
  expect(await it.run(STEPS, { runs_on })).toMatchObject({ ok: true });
  expect(it.engine.jobs.map((job) => job.tag)).toEqual([tag]);
  const shown = await fetch(`${it.engine.url}/api/w/lab/jobs_u/get/${it.engine.jobs[0]?.id}`, {
    headers: { authorization: `Bearer ${it.engine.token}` },
  });
  expect(await shown.json()).toMatchObject({ tag: tag ?? "flow" });
});

test("a job whose response was lost is submitted again with its tag", async () => {
  await using it = await startEngineRun();
  it.engine.fault("run", cutsAfter, 1);
  expect(await it.run(STEPS, { runs_on: ["docker"] })).toMatchObject({ ok: true });
  const runs = it.engine.requests.filter(({ kind }) => kind === "run");
  expect(new Set(runs.map(({ url }) => new URL(url, it.engine.url).searchParams.get("tag")))).toEqual(
    new Set(["docker"]),
  );
  expect(it.engine.jobs).toHaveLength(1);
});

test("a tag that the engine does not let its token use is refused, and nothing has run", async () => {
  await using it = await startEngineRun({ custom_tags: new Set(["docker"]) });
  expect(await it.run(STEPS, { runs_on: ["docker"] })).toMatchObject({ ok: true });
  expect(await it.run(STEPS, { runs_on: ["zfs"] })).toMatchObject({ ok: false });
  expect(it.end()).toMatchObject({ code: "engine_refused", message: expect.stringContaining("CUSTOM_TAGS: docker") });
  expect(it.engine.jobs).toHaveLength(1);
});

test("the reconcile command of a step runs where the step has run", async () => {
  await using it = await startEngineRun();
  const backend = createFlowEngineBackend({
    engine: it.engine,
    flow_path: "f/orch/execute_task_steps",
    tool_servers: new Map(),
    before_look: true,
    clock: () => new Date(),
    new_id: () => randomUUID(),
    timing: IMPATIENT,
  });
  const last_job = lastJob(it.engine, randomUUID(), STEPS, { state: "lost", seen: false });
  const { signal: leaving } = new AbortController();
  const asked = { task_contract: aContract(), index: 0, attempt: 1, command: "exit 1", runs_on: ["host:nas"] };
  const look = await backend.reconcile?.({ ...asked, leaving, last_job }, new AbortController().signal);
  await backend.close();
  expect(look).toMatchObject({ exit_code: 1 });
  expect(it.engine.jobs.map(({ tag }) => tag)).toEqual(["host:nas"]);
});
