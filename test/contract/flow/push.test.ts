// The flow is pushed with the engine's own command line, as the README tells: what arrives is what lies here.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";
import { FLOW_DIR } from "../../support/flow-job.ts";
import { json, type Received, startRequestRecorder, text } from "../../support/request-recorder.ts";

const WMILL = createRequire(import.meta.url).resolve("windmill-cli");
const FOLDER = join(FLOW_DIR, "../../..");
const OPERATOR = {
  ...{ username: "op", email: "op@example.com", workspace_id: "lab", role: "admin", is_admin: true },
  ...{ is_super_admin: false, operator: false, disabled: false, created_at: "2026-03-06T09:00:00Z" },
  ...{ folders: [], folders_owners: [], folders_read: [], groups: [] },
};

/** An engine that holds nothing yet. */
const answer = ({ method, url }: Received) => {
  if (url === "/api/users/whoami") return json(OPERATOR);
  return method === "GET" ? text("not found", 404) : text("created", 201);
};

const Pushed = z.object({
  path: z.string(),
  value: z.object({
    same_worker: z.literal(true),
    modules: z.tuple([z.object({ value: z.object({ language: z.string(), content: z.string(), lock: z.string() }) })]),
  }),
});

test("the folder and the flow arrive at the engine, the script and its lock to the byte [2.flow.path]", async () => {
  await using engine = await startRequestRecorder(answer);
  const home = await mkdtemp(join(tmpdir(), "wmill-"));
  const push = (...args: string[]) =>
    promisify(execFile)(
      process.execPath,
      [WMILL, "--base-url", `${engine.url}/`, "--workspace", "lab", "--token", "t", ...args],
      { cwd: FOLDER, env: { PATH: process.env["PATH"], HOME: home }, timeout: 30_000 },
    );
  await push("folder", "push", "orch");
  await push("flow", "push", "f/orch/execute_task_steps.flow", "f/orch/execute_task_steps");
  await rm(home, { recursive: true });
  const written = engine.received.filter(({ method }) => method === "POST");
  expect(written.map(({ url }) => url)).toEqual(["/api/w/lab/folders/create", "/api/w/lab/flows/create"]);
  const { path, value } = Pushed.parse(JSON.parse(written[1]?.body ?? ""));
  expect(path).toBe("f/orch/execute_task_steps");
  const [script] = value.modules;
  expect(script.value.language).toBe("bun");
  expect(script.value.content).toBe(await readFile(join(FLOW_DIR, "run_steps.ts"), "utf8"));
  expect(script.value.lock).toBe(await readFile(join(FLOW_DIR, "run_steps.lock"), "utf8"));
});
