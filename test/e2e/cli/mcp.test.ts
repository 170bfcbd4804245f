// `orch mcp`: a real MCP client over stdio, with and without a running server.
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { cliEnvironment, ORCH, runCli, startCli } from "../../support/cli-process.ts";
import { deadUrl, littleServer } from "../../support/cli-server.ts";
import { TOKEN, temporaryDirectory } from "../../support/orch-process.ts";
import { fileServers } from "../bad-input/sound-server.ts";

const { startServer } = fileServers();

type Variables = Readonly<Record<string, string>>;

/** The environment of an orch with its own port and data directory. */
const alone = async (directory: string): Promise<Variables> => ({
  ORCH_PORT: new URL(await deadUrl()).port,
  ORCH_DATA_DIR: join(directory, "state"),
});

async function connected(env: Variables) {
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
  // The client reports every line of stdout that is not protocol.
  const faults: Error[] = [];
  client.onerror = (error) => faults.push(error);
  await client.connect(transport);
  return { client, faults, stderr: () => stderr, pid: transport.pid };
}

const submit = { name: "submit_task", arguments: contractBody({ wait_seconds: 30 }) };

test("the bridge uses a server that already runs, and names its address where it uses the database at another one", async () => {
  await using directory = await temporaryDirectory();
  const server = await startServer({ data_dir: directory.path });
  const { client, faults } = await connected({ ORCH_URL: server.url, ORCH_TOKEN: TOKEN });
  expect((await client.callTool(submit)).structuredContent).toMatchObject({ task_id: "t-1", status: "need_input" });
  expect((await server.get("/v1/tasks/t-1")).body.status).toBe("need_input");
  await client.close();
  expect(faults).toEqual([]);
  const { stderr, stdout, exit } = await runCli(["mcp"], { env: await alone(directory.path) });
  expect(exit).toBeGreaterThan(0);
  expect(stdout).toBe("");
  expect(stderr).toContain(`another orch server (pid ${server.child.pid}) is using this database`);
  expect(stderr).toContain(`It answers at ${server.url}. To use it, set ORCH_URL to that address`);
  expect(await server.kill("SIGTERM")).toBe(0);
});

test("the bridge starts a server in its process when none runs, and stops it when it ends", async () => {
  await using directory = await temporaryDirectory();
  const env = await alone(directory.path);
  const first = await connected(env);
  expect((await first.client.callTool(submit)).structuredContent).toMatchObject({ status: "need_input" });
  expect(first.stderr()).toContain("a server runs in this process");
  expect(await runCli(["tasks"], { env }), "others may use it").toMatchObject({
    exit: 0,
    stdout: expect.stringContaining("t-1"),
  });
  await first.client.close();
  expect(first.faults).toEqual([]);
  await expect.poll(async () => (await runCli(["tasks"], { env })).exit, { timeout: 20_000 }).toBe(6);
});

const getTask = { name: "get_task", arguments: { task_id: "t-1" } };

test("two bridges that start at once share one server, and the one that is left starts its own", async () => {
  await using directory = await temporaryDirectory();
  const env = await alone(directory.path);
  const both = await Promise.all([connected(env), connected(env)]);
  const serves = both.findIndex(({ stderr }) => stderr().includes("a server runs in this process"));
  const [host, guest] = serves === 0 ? both : both.toReversed();
  if (host === undefined || guest === undefined) throw new Error("there are two");
  expect(guest.stderr()).not.toContain("in this process");
  expect((await guest.client.callTool(submit)).structuredContent).toMatchObject({ status: "need_input" });
  expect((await host.client.callTool(getTask)).structuredContent).toMatchObject({ status: "need_input" });
  await host.client.close();
  // The server stops a little later than its client.
  const left = async () => {
    const answer = await guest.client.callTool(getTask).catch((cause: unknown) => {
      throw new Error(guest.stderr(), { cause });
    });
    return answer.structuredContent;
  };
  await expect.poll(() => left().then(guest.stderr), { timeout: 20_000 }).toContain("in this process");
  expect(await left()).toMatchObject({ status: "need_input" });
  expect(await runCli(["tasks"], { env })).toMatchObject({ exit: 0, stdout: expect.stringContaining("t-1") });
  await guest.client.close();
  expect([...host.faults, ...guest.faults]).toEqual([]);
});

test("the bridge reports a server that is not orch, and sends it no token", async () => {
  await using directory = await temporaryDirectory();
  await using stranger = await littleServer(() => ({ body: { jsonrpc: "2.0", id: 1, result: {} } }));
  const env = { ORCH_PORT: new URL(stranger.url).port, ORCH_DATA_DIR: directory.path, ORCH_TOKEN: TOKEN };
  expect(await runCli(["mcp"], { env })).toMatchObject({
    exit: 6,
    stdout: "",
    stderr: expect.stringContaining(`What answers at ${stranger.url} (from ORCH_HOST and ORCH_PORT) is not orch`),
  });
  expect(stranger.asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([["/healthz", undefined]]);
});

test("the bridge starts no server for an address that is set with ORCH_URL", async () => {
  await using directory = await temporaryDirectory();
  const url = await deadUrl();
  const env = { ...(await alone(directory.path)), ORCH_URL: url };
  expect(await runCli(["mcp"], { env })).toMatchObject({
    exit: 6,
    stdout: "",
    stderr: expect.stringContaining(`orch does not answer at ${url} (from ORCH_URL)`),
  });
});

test("a host that closes stderr does not stop calls, and one that closes stdout ends the bridge without a fault", async () => {
  await using directory = await temporaryDirectory();
  const child = startCli(["mcp"], { env: await alone(directory.path) });
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error("it has no pipes");
  stderr.destroy();
  const heard = createInterface({ input: stdout })[Symbol.asyncIterator]();
  for (const id of [1, 2]) {
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`);
    expect(JSON.parse((await heard.next()).value ?? "")).toEqual({ jsonrpc: "2.0", id, result: {} });
  }
  const exited = once(child, "exit");
  stdout.destroy();
  stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 3, method: "ping" })}\n`);
  expect(await exited).toEqual([0, null]);
});

test("a closed terminal stops the server in the process like any other end", async () => {
  await using directory = await temporaryDirectory();
  const child = startCli(["mcp"], { env: await alone(directory.path) });
  child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
  if (child.stdout !== null) await once(child.stdout, "data");
  child.kill("SIGHUP");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("the bridge ends with a message when no server on another machine answers, or it has no token", async () => {
  const away = await runCli(["mcp"], { env: { ORCH_URL: "http://orch.invalid:3400", ORCH_TOKEN: TOKEN } });
  expect(away).toMatchObject({
    exit: 6,
    stdout: "",
    stderr: expect.stringContaining("Start it there with: orch serve"),
  });
});
