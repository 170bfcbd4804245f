// The shipped flow, run by the simulated flow engine as the official client asks for it: what comes back keeps the contract.
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { JobService, runFlow } from "windmill-client";
import { FlowOutput } from "../../../src/domain/flow.ts";
import type { Step } from "../../../src/domain/step.ts";
import { statOf } from "../../../src/execution/local/containment/process-stat.ts";
import { startFlowEngine } from "../../simulators/flow-engine/flow-engine.ts";
import { aContract, cmd } from "../../support/builders.ts";
import { pointOfficialClientAt } from "../../support/flow-engine-client.ts";

const PATH = "f/orch/execute_task_steps";
const input = (...steps: readonly Step[]) => {
  const task_contract = aContract();
  return { task_contract, steps, context: { target: task_contract.target, payload: {}, mcp_servers: {} } };
};

test("steps run, and their progress is in the log of the module's job", async () => {
  await using engine = await startFlowEngine();
  using _ = pointOfficialClientAt(engine, engine);
  const output = FlowOutput.parse(await runFlow(PATH, input(cmd("echo one"), cmd("exit 3"), cmd("echo never"))));
  expect(output).toMatchObject({ ok: false, step_results: [{ stdout: "one\n" }, { status: "failed", exit_code: 3 }] });
  const { workspace, jobs } = engine;
  const { new_logs } = await JobService.getJobUpdates({ workspace, id: jobs[0]?.module_id ?? "", logOffset: 0 });
  expect(new_logs).toMatch(/orch: step 0 cmd started\norch: step 0 cmd passed exit_code=0 duration_ms=\d+\n/);
  expect(new_logs).not.toContain("echo");
});

test("a job that is cancelled leaves no command of its behind", async () => {
  await using engine = await startFlowEngine();
  using _ = pointOfficialClientAt(engine, engine);
  const { workspace } = engine;
  const file = join(tmpdir(), `running-${randomUUID()}`);
  const steps = [cmd(`echo $$ > ${file}; exec sleep 30`)];
  const id = await JobService.runFlowByPath({ workspace, path: PATH, requestBody: input(...steps) });
  await expect.poll(() => readFile(file, "utf8").catch(() => ""), { timeout: 10_000 }).toMatch(/^\d+\n$/);
  const pid = Number(await readFile(file, "utf8"));
  expect(statOf(pid)).not.toBeNull();
  await JobService.cancelQueuedJob({ workspace, id, requestBody: {} });
  await expect.poll(() => statOf(pid), { timeout: 10_000 }).toBeNull();
  await rm(file);
});
