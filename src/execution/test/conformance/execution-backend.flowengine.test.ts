// The flow-engine backend keeps the contract of every execution backend: its steps run in the shipped flow's script, under
// the runtime of the engine, on an engine that is one in all that orch can see of it.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { type FlowEngine, startFlowEngine } from "../../../../test/simulators/flow-engine/flow-engine.ts";
import { createFlowEngineBackend } from "../../execution.ts";
import { executionBackendSuite, type Given } from "./execution-backend.ts";

let engine: FlowEngine;
beforeAll(async () => {
  engine = await startFlowEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const create = ({ tool_servers }: Given) =>
  createFlowEngineBackend({
    engine,
    flow_path: "f/orch/execute_task_steps",
    tool_servers,
    before_look: true,
    clock: () => new Date(),
    new_id: () => randomUUID(),
    timing: { poll_ms: 20 },
  });

executionBackendSuite("flow engine", { as_one_job: true, create });
