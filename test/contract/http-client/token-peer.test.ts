// The token of a tool server that is down: another program listens on its port, and is not sent it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createExchange } from "../../../src/execution/execution.ts";
import { createToolServers, verifiedServers } from "../../../src/mcp-client/tool-servers.ts";

const TOKEN = "a-token-of-the-lab";
const OTHER = 65_534;
const stack: (() => unknown)[] = [];
afterEach(() => {
  for (const end of stack.splice(0)) end();
});

/** Keeps what it is sent, as the account of this process. */
async function startListener(host = "127.0.0.1") {
  const heard: string[] = [];
  const server = createServer(({ headers }, response) => {
    heard.push(String(headers.authorization));
    response.writeHead(401).end();
  }).listen(0, host);
  await once(server, "listening");
  stack.push(() => server.close());
  return { heard, port: (server.address() as AddressInfo).port };
}

/** The same in a process of another account. */
async function startStranger() {
  const script = `const s = require("node:http").createServer((q, r) => { console.log(q.headers.authorization); r.end(); });
    s.listen(0, "127.0.0.1", () => console.log(s.address().port));`;
  const child = spawn(process.execPath, ["-e", script], {
    uid: OTHER,
    gid: OTHER,
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit"],
  });
  stack.push(() => child.kill("SIGKILL"));
  const lines: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => lines.push(...chunk.toString().trim().split("\n")));
  await once(child.stdout, "data");
  return { heard: lines, port: Number(lines.shift()) };
}

const callOn = (port: number, peer: string | null, host = "127.0.0.1") => {
  const url = `http://${host}:${port}/mcp`;
  const servers = createToolServers({
    servers: verifiedServers(new Map([["lab", { url, token: TOKEN, peer }]])),
    version: "1",
  });
  stack.push(() => servers.close());
  const limits = { limit_ms: 5_000, signal: new AbortController().signal };
  return servers.call({ server: "lab", tool: "drop", arguments: {} }, limits);
};

describe("a token over plain http", () => {
  test.each(["127.0.0.1", "localhost", "[::1]"])("is sent to a listener of this account on %s", async (host) => {
    const { heard, port } = await startListener(host === "[::1]" ? "::1" : "127.0.0.1");
    await callOn(port, null, host);
    expect(heard).toContain(`Bearer ${TOKEN}`);
  });

  test("is not sent to a listener of another account than the one that is named", async () => {
    const { heard, port } = await startListener();
    const answer = await callOn(port, String(OTHER));
    expect(answer).toMatchObject({ ok: false, executed: false });
    expect(answer).toMatchObject({
      stderr: expect.stringContaining(`not to the account ${OTHER}, so the token was not sent`),
    });
    expect(heard).toEqual([]);
  });

  test("is sent to any listener where the site says so", async () => {
    const { heard, port } = await startListener();
    await callOn(port, "any");
    expect(heard).toContain(`Bearer ${TOKEN}`);
  });

  test.skipIf(process.getuid?.() !== 0)("is not sent to a listener of a stranger", async () => {
    const { heard, port } = await startStranger();
    const answer = await callOn(port, null);
    expect(answer).toMatchObject({ ok: false, executed: false });
    expect(answer).toMatchObject({ stderr: expect.stringContaining(`belongs to account ${OTHER}`) });
    expect(heard).toEqual([]);
    await callOn(port, String(OTHER));
    expect(heard).toContain(`Bearer ${TOKEN}`);
  });

  test("that is the flow engine's is not sent to another account's listener either", async () => {
    const { heard, port } = await startListener();
    const engine = { url: `http://127.0.0.1:${port}`, token: TOKEN, workspace: "lab", peer: String(OTHER) };
    const { exchange } = createExchange(engine, { limit_ms: 5_000, max_bytes: 1_000 });
    const answer = await exchange({ method: "GET", path: "/version" });
    expect(answer).toMatchObject({ is: "unreachable", message: expect.stringContaining("FLOWENGINE_PEER") });
    expect(heard).toEqual([]);
  });

  test("is not sent by a request that was stopped", async () => {
    const { port } = await startListener();
    const engine = { url: `http://127.0.0.1:${port}`, token: TOKEN, workspace: "lab" };
    const { exchange } = createExchange(engine, { limit_ms: 5_000, max_bytes: 1_000 });
    expect(await exchange({ method: "GET", path: "/version", signal: AbortSignal.abort() })).toMatchObject({
      is: "unreachable",
    });
  });
});
