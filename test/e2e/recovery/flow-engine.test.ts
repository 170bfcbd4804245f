// The server dies, or is stopped, while the flow engine runs its steps: the next server finds the job under the id that is
// on record, and every step has run once. A job that was on record and had not left is submitted under that id.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FlowEngine, startFlowEngine } from "../../simulators/flow-engine/flow-engine.ts";
import { check, cmd, contractBody } from "../../support/builders.ts";
import { orderIn } from "../../support/kill-at.ts";
import { linesOf, temporaryDirectory } from "../../support/orch-process.ts";
import { serve, settled } from "./begin.ts";

const PRELOAD = join(import.meta.dirname, "../../support/kill-at.ts");
const STEPS = [
  cmd("echo x >> one"),
  cmd("echo x >> begun; until test -e go; do sleep 0.02; done; echo x >> two"),
  check("echo x >> three; test -s two"),
];

let engine: FlowEngine;
beforeAll(async () => {
  engine = await startFlowEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

async function place() {
  const directory = await temporaryDirectory();
  const { path } = directory;
  const env = {
    FLOWENGINE_URL: engine.url,
    FLOWENGINE_TOKEN: engine.token,
    FLOWENGINE_WORKSPACE: engine.workspace,
    FLOWENGINE_POLL_MS: "50",
    KILL_DIR: path,
  };
  const contract = contractBody({
    task_id: "t",
    target: { service: "web", compose_dir: path },
    execution_backend: "flowengine",
  });
  const accepted = engine.counts().accepted;
  return {
    path,
    start: { data_dir: path, env, preload: PRELOAD },
    contract: { ...contract, wait_seconds: 20 },
    order: (point: string) => writeFile(orderIn(path), point),
    letGo: () => writeFile(join(path, "go"), ""),
    jobs: () => engine.counts().accepted - accepted,
    ran: () => ["one", "begun", "two", "three"].map((name) => linesOf(join(path, name)).length),
    [Symbol.asyncDispose]: directory[Symbol.asyncDispose],
  };
}

const ONCE = [1, 1, 1, 1];

test.each([
  ["before the job is on record", "commit:before:policy_judged+step_started#1"],
  ["when the job is on record and has not left", "commit:after:policy_judged+step_started#1"],
  ["while it follows the job", "commit:after:job_progressed#1"],
  ["when the job has ended and that is not on record", "node:verify#1"],
])("a job survives SIGKILL of the server %s", async (_what, point) => {
  await using it = await place();
  await it.letGo();
  {
    await using orch = await serve(it.start);
    await orch.post("/v1/tasks", it.contract);
    await it.order(point);
    await orch.post("/v1/teach", { task_id: "t", steps: STEPS }).catch(() => null);
    await expect.poll(() => orch.child.signalCode, { timeout: 20_000 }).toBe("SIGKILL");
  }
  await using orch = await serve(it.start);
  expect(await settled(orch, "t")).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
  expect([it.jobs(), ...it.ran()]).toEqual([1, ...ONCE]);
});
