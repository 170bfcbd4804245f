// The reconcile command of a step of a lost job (D-299): it runs as a job of its own, and the lost job is examined before, because its
// step may still run.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createFlowEngineBackend } from "../../../src/execution/execution.ts";
import type { FlowEngine } from "../../simulators/flow-engine/flow-engine.ts";
import { aContract, check, cmd } from "../../support/builders.ts";
import { lastJob, PATIENT, startEngineRun } from "../../support/engine-run.ts";

const STEPS = [cmd("true"), check("test -d /")];
const LOST = { state: "lost", seen: true } as const;

async function reconciled(engine: FlowEngine, over: Parameters<typeof lastJob>[3], job_id: string = randomUUID()) {
  const backend = createFlowEngineBackend({
    engine,
    flow_path: "f/orch/execute_task_steps",
    tool_servers: new Map(),
    before_look: true,
    clock: () => new Date(),
    new_id: () => randomUUID(),
    timing: PATIENT,
  });
  const last_job = lastJob(engine, job_id, STEPS, over);
  const { signal: leaving } = new AbortController();
  const request = { task_contract: aContract(), index: 0, attempt: 1, command: "exit 1", leaving, last_job };
  const look = await backend.reconcile?.(request, new AbortController().signal);
  await backend.close();
  return look;
}

test("nothing of a lost job that has ended can run any more", async () => {
  await using it = await startEngineRun();
  await it.run(STEPS);
  const [job] = it.engine.jobs;
  expect(await reconciled(it.engine, LOST, job?.id)).toMatchObject({ exit_code: 1, may_run: null });
  expect(it.engine.jobs).toHaveLength(2);
});

test("something of a lost job that is not over may run", async () => {
  await using it = await startEngineRun();
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  it.engine.give(() => until.then(() => ({ success: true, result: { ok: true, summary: "", step_results: [] } })), 1);
  const running = it.run(STEPS);
  await expect.poll(() => it.engine.jobs.length, { timeout: 10_000 }).toBe(1);
  const look = await reconciled(it.engine, LOST, it.engine.jobs[0]?.id);
  letGo();
  await running;
  expect(look).toMatchObject({ exit_code: 1, may_run: "its job still runs on the flow engine" });
});

test("a job that the engine does not know was never submitted, or may have run when it had been seen", async () => {
  await using it = await startEngineRun();
  expect(await reconciled(it.engine, { ...LOST, seen: false })).toMatchObject({ exit_code: 1, may_run: null });
  expect(await reconciled(it.engine, LOST)).toMatchObject({
    may_run: expect.stringContaining("does not know its job"),
  });
});

test("a job of another engine is not looked for here, and nothing is run here", async () => {
  await using it = await startEngineRun();
  const job = { job_id: randomUUID(), through: 1, engine: "http://other:8000 lab" };
  const look = await reconciled(it.engine, { ...LOST, job });
  expect(look).toMatchObject({ exit_code: null, may_run: "its job is on another flow engine" });
  expect(it.engine.counts().run_requests).toBe(0);
});

test("a report that does not say that the command was run gives no exit code but 0", async () => {
  await using it = await startEngineRun();
  const custom = (exit_code: number) => ({
    success: true,
    result: { ok: exit_code === 0, summary: "", step_results: [{ exit_code }] },
  });
  it.engine.give(() => custom(1), 1);
  expect(await reconciled(it.engine, { ...LOST, seen: false })).toMatchObject({ exit_code: null });
  it.engine.give(() => custom(0), 1);
  expect(await reconciled(it.engine, { ...LOST, seen: false })).toMatchObject({ exit_code: 0 });
});
