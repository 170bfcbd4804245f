// A flow engine that refuses the token while a job runs, seen by everyone who may look: the task, its journal, the log of the
// server and `orch doctor`.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { doctor } from "../../src/doctor/doctor.ts";
import { refuses } from "../simulators/flow-engine/faults.ts";
import { startFlowEngine } from "../simulators/flow-engine/flow-engine.ts";
import { check, cmd, contractBody } from "../support/builders.ts";
import { startOrchProcess, TOKEN, temporaryDirectory } from "../support/orch-process.ts";
import { text } from "../support/request-recorder.ts";

test("a wait for the flow engine is shown with its reason, its start and the number of requests, and logged once", async () => {
  await using directory = await temporaryDirectory();
  await using flow = await startFlowEngine();
  const { url: FLOWENGINE_URL, token: FLOWENGINE_TOKEN, workspace: FLOWENGINE_WORKSPACE } = flow;
  const env = { FLOWENGINE_URL, FLOWENGINE_TOKEN, FLOWENGINE_WORKSPACE, FLOWENGINE_POLL_MS: "50" };
  const orch = await startOrchProcess({ data_dir: directory.path, env });
  const target = { service: "web", compose_dir: directory.path };
  await orch.post(
    "/v1/tasks",
    contractBody({ task_id: "t", target, execution_backend: "flowengine", wait_seconds: 20 }),
  );
  const steps = [cmd("until test -e go; do sleep 0.02; done"), check("test -e go")];
  await orch.post("/v1/teach", { task_id: "t", steps });
  await expect.poll(() => flow.jobs.length, { timeout: 20_000 }).toBe(1);
  const shown = async () =>
    (await orch.get("/v1/tasks/t")).body as { status: string; waits_for: { tries: number } | null };
  expect((await shown()).waits_for).toBeNull();

  const off = flow.fault("any", refuses(text("Unauthorized", 401)));
  await expect.poll(async () => (await shown()).waits_for?.tries ?? 0, { timeout: 20_000 }).toBeGreaterThan(4);
  expect(await shown()).toMatchObject({
    status: "running",
    waits_for: {
      on: "engine_refuses",
      message: expect.stringContaining("HTTP 401 Unauthorized"),
      since: expect.any(String),
    },
  });
  const seen = await doctor({
    HOME: directory.path,
    ORCH_DATA_DIR: join(directory.path, "state"),
    ORCH_TOKEN: TOKEN,
    ORCH_URL: orch.url,
    ...env,
  });
  expect(seen.find(({ name }) => name === "flow engine")?.found).toMatch(
    /task t waits: the flow engine refuses the request: HTTP 401 Unauthorized; since 2\S+, asked \d+ times/,
  );
  off();
  await expect.poll(async () => (await shown()).waits_for).toBeNull();
  await writeFile(join(directory.path, "go"), "");
  await expect.poll(async () => (await shown()).status, { timeout: 20_000 }).toBe("ok");

  const lines = orch
    .output()
    .split("\n")
    .filter((line) => line.includes("flow engine"));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, msg: expect.stringContaining("HTTP 401 Unauthorized; the job is not given up") },
    { level: 30, msg: "the job on the flow engine goes on" },
  ]);
  const { body } = await orch.get("/v1/tasks/t/evidence");
  const { journal } = body as { journal: { kind: string; body: unknown }[] };
  expect(journal.filter(({ kind }) => kind === "job_waits").map((event) => event.body)).toMatchObject([
    { wait: { on: "engine_refuses" } },
    { wait: null },
  ]);
  expect(flow.counts()).toMatchObject({ accepted: 1, run_requests: 1 });
  expect(await orch.kill("SIGTERM")).toBe(0);
});
