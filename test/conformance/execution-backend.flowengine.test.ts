// The flow-engine backend keeps the contract of every execution backend: its steps run in the shipped flow's script, under
// the runtime of the engine, on an engine that is one in all that orch can see of it.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { createFlowEngineBackend } from "../../src/execution/flow-engine/flow-engine-backend.ts";
import { type FlowEngine, startFlowEngine } from "../simulators/flow-engine/flow-engine.ts";
import { executionBackendSuite } from "./execution-backend.ts";

let engine: FlowEngine;
beforeAll(async () => {
  engine = await startFlowEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

executionBackendSuite("flow engine", {
  as_one_job: true,
  create: ({ tool_servers }) =>
    createFlowEngineBackend({
      ...{ engine, flow_path: "f/orch/execute_task_steps", tool_servers },
      ...{ clock: () => new Date(), new_id: () => randomUUID(), timing: { poll_ms: 20 } },
    }),
});
