// The engine's own command line pushes the flow, as docs/flow-engine.md describes, and the engine receives the files unchanged.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { FLOW_DIR } from "../../simulators/flow-engine/flow-job.ts";
import { startEmptyEngine, wmill } from "../../support/engine-command-line.ts";

const FOLDER = join(FLOW_DIR, "../../..");

const Pushed = z.object({
  path: z.string(),
  value: z.object({
    same_worker: z.literal(true),
    modules: z.tuple([z.object({ value: z.object({ language: z.string(), content: z.string(), lock: z.string() }) })]),
  }),
});

test("the engine receives the folder, the flow, and its script and lock byte for byte [2.flow.path]", async () => {
  await using engine = await startEmptyEngine();
  await wmill(FOLDER, ...engine.remote, "folder", "push", "orch");
  await wmill(FOLDER, ...engine.remote, "flow", "push", "f/orch/execute_task_steps.flow", "f/orch/execute_task_steps");
  const written = engine.written();
  expect(written.map(({ url }) => url)).toEqual(["/api/w/lab/folders/create", "/api/w/lab/flows/create"]);
  const { path, value } = Pushed.parse(JSON.parse(written[1]?.body ?? ""));
  expect(path).toBe("f/orch/execute_task_steps");
  const [script] = value.modules;
  expect(script.value.language).toBe("bun");
  expect(script.value.content).toBe(await readFile(join(FLOW_DIR, "run_steps.ts"), "utf8"));
  expect(script.value.lock).toBe(await readFile(join(FLOW_DIR, "run_steps.lock"), "utf8"));
});
