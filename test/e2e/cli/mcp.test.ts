// orch mcp: a real MCP client over stdio, with a server that runs already, and with none.
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { cliEnvironment, ORCH, runCli } from "../../support/cli-process.ts";
import { deadUrl } from "../../support/cli-server.ts";
import { TOKEN, temporaryDirectory } from "../../support/orch-process.ts";
import { startServer } from "../bad-input/sound-server.ts";

async function connected(env: Readonly<Record<string, string>>) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [ORCH, "mcp"],
    env: cliEnvironment(env),
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const client = new Client({ name: "a-supervisor", version: "1" });
  // Whatever is no protocol on stdout ends here.
  const faults: Error[] = [];
  client.onerror = (error) => faults.push(error);
  await client.connect(transport);
  return { client, faults, stderr: () => stderr, pid: transport.pid };
}

const submit = { name: "submit_task", arguments: contractBody({ wait_seconds: 30 }) };

test("with a server that runs, its tasks are those of every other face", async () => {
  await using directory = await temporaryDirectory();
  const server = await startServer({ data_dir: directory.path });
  const { client, faults } = await connected({ ORCH_URL: server.url, ORCH_TOKEN: TOKEN });
  expect((await client.callTool(submit)).structuredContent).toMatchObject({ task_id: "t-1", status: "need_input" });
  expect((await server.get("/v1/tasks/t-1")).body.status).toBe("need_input");
  await client.close();
  expect(faults).toEqual([]);
  expect(await server.kill("SIGTERM")).toBe(0);
});

test("with none, one is started in the process, and stopped with it", async () => {
  await using directory = await temporaryDirectory();
  const env = { ORCH_PORT: new URL(await deadUrl()).port, ORCH_DATA_DIR: join(directory.path, "state") };
  const first = await connected(env);
  expect((await first.client.callTool(submit)).structuredContent).toMatchObject({ status: "need_input" });
  expect(first.stderr()).toContain("starting a server in this process");
  expect(await runCli(["tasks"], { env }), "others may use it").toMatchObject({
    exit: 0,
    stdout: expect.stringContaining("t-1"),
  });
  await first.client.close();
  expect(first.faults).toEqual([]);
  await expect.poll(async () => (await runCli(["tasks"], { env })).exit, { timeout: 20_000 }).toBe(6);
  const second = await connected(env);
  const task = await second.client.callTool({ name: "get_task", arguments: { task_id: "t-1" } });
  expect(task.structuredContent).toMatchObject({ status: "need_input" });
  await second.client.close();
});

test("with none on another machine, or no token, it says so and ends", async () => {
  const away = await runCli(["mcp"], { env: { ORCH_URL: "http://orch.invalid:3400", ORCH_TOKEN: TOKEN } });
  expect(away).toMatchObject({
    exit: 6,
    stdout: "",
    stderr: expect.stringContaining("Start it there with: orch serve"),
  });
});
