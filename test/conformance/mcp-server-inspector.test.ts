// The MCP inspector on the command line against the real server: schemas that every host can use, and calls that work.
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BRIDGE } from "../support/mcp-bridge.ts";
import { type OrchProcess, startOrchProcess, TOKEN, temporaryDirectory } from "../support/orch-process.ts";
import { TOOL_SHAPES } from "../support/tool-shapes.ts";

const require = createRequire(import.meta.url);
const INSPECTOR = require.resolve("@modelcontextprotocol/inspector/clients/launcher/build/index.js");

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let orch: OrchProcess;
beforeAll(async () => {
  directory = await temporaryDirectory();
  orch = await startOrchProcess({ data_dir: directory.path });
});
afterAll(async () => {
  await orch.kill("SIGTERM");
  await directory[Symbol.asyncDispose]();
});

type Run = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** In a home of its own: the inspector keeps a catalog there. */
const run = (args: readonly string[], env: Record<string, string> = {}): Promise<Run> =>
  new Promise((resolve) => {
    const options = { env: { PATH: process.env["PATH"] ?? "", HOME: directory.path, ...env } };
    const child = execFile(process.execPath, [INSPECTOR, "--cli", ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });

const inspect = (...args: string[]): Promise<Run> =>
  run([`${orch.url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${TOKEN}`, ...args]);

test("the inspector finds no fault with the schema of any tool", async () => {
  const { code, stdout, stderr } = await inspect("--method", "tools/list", "--strict");
  expect(code, stderr).toBe(0);
  const { tools } = JSON.parse(stdout);
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(TOOL_SHAPES.map(({ name }) => name));
});

test("the inspector calls a tool, and gets the error of a wrong call", async () => {
  const called = await inspect("--method", "tools/call", "--tool-name", "list_tasks", "--tool-arg", "limit=5");
  expect(called.code, called.stderr).toBe(0);
  expect(JSON.parse(called.stdout)).toMatchObject({ structuredContent: { tasks: [], next_after: null } });
  const wrong = await inspect("--method", "tools/call", "--tool-name", "get_task", "--tool-arg", "task_id=nobody");
  expect(wrong.code).toBe(5);
  expect(wrong.stdout).toContain("task_not_found");
});

test("the inspector lists resources, their templates and prompts, and gets one", async () => {
  for (const method of ["resources/list", "resources/templates/list", "prompts/list"]) {
    const { code, stderr } = await inspect("--method", method);
    expect(code, `${method}: ${stderr}`).toBe(0);
  }
  const { code, stdout } = await inspect("--method", "prompts/get", "--prompt-name", "teach_sop");
  expect(code).toBe(0);
  expect(stdout).toContain("check step");
});

test("the inspector is served over stdio as well", async () => {
  const env = ["-e", `ORCH_URL=${orch.url}`, "-e", `ORCH_TOKEN=${TOKEN}`];
  const { code, stderr } = await run([...env, "--method", "tools/list", "--strict", process.execPath, BRIDGE]);
  expect(code, stderr).toBe(0);
});
