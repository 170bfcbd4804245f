// What a request to /mcp gets that the HTTP server refuses: always a message of JSON-RPC, and under 200 where a right request may
// be refused, because some clients end their session at an HTTP error.
import { Agent, request } from "node:http";
import {
  type CallToolResult,
  Client as Client2,
  StreamableHTTPClientTransport as Transport2,
} from "@modelcontextprotocol/client";
import { afterEach, describe, expect, test } from "vitest";
import { TOKEN } from "../../support/http-endpoint.ts";
import { REVISION } from "../../support/mcp-2026.ts";
import { type RunningMcp, rpc, startMcp, toolCall } from "../../support/mcp-endpoint.ts";

let endpoint: RunningMcp;
let now = Date.parse("2026-01-01T00:00:00Z");
const start = async (options: Parameters<typeof startMcp>[0] = {}) => {
  endpoint = await startMcp(options);
  return endpoint;
};
afterEach(() => endpoint.stop());

const MIB = 1024 * 1024;
const LARGE = { thing_id: "x".repeat(MIB) };
const ONE_EACH = { requests: { amount: 1, per_ms: 10_000 } };

/** Two requests: the second is one too many. */
async function oneTooMany(message: object, headers: Record<string, string> = {}) {
  const { send } = await start({ clock: () => new Date(now), limits: ONE_EACH });
  await send(rpc("ping"));
  return send(message, headers);
}

const fault = (code: string) => ({
  isError: true,
  content: [{ type: "text", text: expect.stringContaining(`"code":"${code}"`) }],
});
const error = (code: string) => ({ data: { code } });

describe("a request too many is answered under 200 with its id", () => {
  const params = { name: "get_thing", arguments: { thing_id: "x" } };
  test.each<[string, object, object]>([
    ["a call of a tool: as its error", toolCall("get_thing", {}, 7), { id: 7, result: fault("rate_limited") }],
    ["with its prefix", toolCall("orch__get_thing", {}, "a"), { id: "a", result: fault("rate_limited") }],
    ["the id at the end", { method: "tools/call", params, jsonrpc: "2.0", id: 8 }, { id: 8, result: {} }],
    [
      "the name after other params",
      { ...toolCall("x"), params: { _meta: { a: { name: "x" } }, ...params } },
      { id: 1, result: fault("rate_limited") },
    ],
    ["an unknown tool", toolCall("no_tool"), { id: 1, error: error("rate_limited") }],
    ["another method", rpc("tools/list"), { id: 1, error: error("rate_limited") }],
    ["initialize", rpc("initialize", { clientInfo: { name: "a" } }), { id: 1, error: error("rate_limited") }],
  ])("%s", async (_what, message, wanted) => {
    const answer = await oneTooMany(message);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([200, "10"]);
    expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", ...wanted });
  });

  test("in the form of the revision", async () => {
    const answer = await oneTooMany(toolCall("get_thing"), { "mcp-protocol-version": REVISION });
    expect(await answer.json()).toMatchObject({ result: { ...fault("rate_limited"), resultType: "complete" } });
  });

  test("a notification is accepted", async () => {
    const answer = await oneTooMany({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect([answer.status, await answer.text()]).toEqual([202, ""]);
  });

  test("what is no message keeps the status", async () => {
    const answer = await oneTooMany({ id: 5 });
    expect([answer.status, await answer.json()]).toMatchObject([429, { id: null, error: error("rate_limited") }]);
  });

  test.each([
    ["is read up to 1 MiB", 0, [200, { id: 7 }]],
    ["is not read to its end", 1, [429, { id: null }]],
  ])("a long one %s", async (_what, more, wanted) => {
    const { length } = JSON.stringify(toolCall("get_thing", { thing_id: "" }, 7));
    const answer = await oneTooMany(toolCall("get_thing", { thing_id: "x".repeat(MIB - length + more) }, 7));
    expect([answer.status, await answer.json()]).toMatchObject(wanted);
  });
});

describe("a request too large is answered under 200 with its id", () => {
  test.each<[string, object, object]>([
    ["a call of a tool: as its error", toolCall("get_thing", LARGE, 7), { id: 7, result: fault("body_too_large") }],
    [
      "the id at the end",
      { method: "tools/call", params: { name: "get_thing", arguments: LARGE }, jsonrpc: "2.0", id: "z" },
      { id: "z", result: fault("body_too_large") },
    ],
    [
      "text that looks like another id",
      toolCall("get_thing", { thing_id: '{"id":9,"method":"\\'.repeat(MIB / 8) }),
      { id: 1, result: fault("body_too_large") },
    ],
    ["an unknown tool", toolCall("no_tool", LARGE), { id: 1, error: error("body_too_large") }],
    ["another method", rpc("prompts/get", { name: "x", arguments: LARGE }), { error: error("body_too_large") }],
  ])("%s", async (_what, message, wanted) => {
    const answer = await (await start()).send(message);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", ...wanted });
  });

  test("one of more than 16 MiB is not read to its end", async () => {
    const answer = await (await start()).send(toolCall("get_thing", { thing_id: "x".repeat(17 * MIB) }));
    expect([answer.status, await answer.json()]).toMatchObject([413, { id: null, error: error("body_too_large") }]);
  });
});

test.each(["/mcp", "/v1/tasks"])(
  "after a body that was read in part, %s answers on the same connection",
  async (path) => {
    const { url } = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const ask = (body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = request(`${url}${path}`, { method: "POST", headers, agent }, (answer) => {
          answer.resume().once("end", () => resolve(answer.statusCode));
        });
        sent.once("error", reject);
        // Without a length: in chunks.
        sent.write(body);
        sent.end();
      });
    const first = await ask(`[${"1,".repeat(MIB)}1]`);
    expect([first, await ask("{")]).toEqual([413, 400]);
    agent.destroy();
  },
);

test.each<[string, object | string, Record<string, string>, number]>([
  ["what nests too deep", toolCall("get_thing", JSON.parse(`{"a":${"[".repeat(90)}${"]".repeat(90)}}`), 3), {}, 400],
  ["a field that is there twice", '{"method":"ping","id":3,"params":{"a":1,"a":2}}', {}, 400],
  ["another media type", toolCall("get_thing", {}, 3), { "content-type": "text/plain" }, 415],
])("%s is refused with the id of the request", async (_what, message, headers, status) => {
  const answer = await (await start()).send(message, headers);
  expect([answer.status, await answer.json()]).toMatchObject([status, { jsonrpc: "2.0", id: 3, error: {} }]);
});

test("a caller without a token gets a message too, and its body is not read", async () => {
  const { url } = await start({ clock: () => new Date(now), limits: { failed_logins: { amount: 1, per_ms: 10_000 } } });
  const ask = () => fetch(`${url}/mcp`, { method: "POST", body: JSON.stringify(toolCall("get_thing")) });
  const answers = [await ask(), await ask()];
  expect(answers.map(({ status }) => status)).toEqual([401, 429]);
  for (const answer of answers) expect(await answer.json()).toMatchObject({ id: null, error: { code: -32000 } });
});

const VERSION_1 = async () => {
  const client = await endpoint.connect();
  return { ask: client.ask, end: client[Symbol.asyncDispose] };
};
const connect2 = async (token: string) => {
  const client = new Client2({ name: "a supervisor", version: "0.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new Transport2(new URL("/mcp", endpoint.url), { requestInit }));
  return client;
};
const VERSION_2 = async () => {
  const client = await connect2(TOKEN);
  const ask = async (name: string, input: object = {}): Promise<CallToolResult> =>
    client.callTool({ name, arguments: { ...input } });
  return { ask, end: () => client.close() };
};

test.each([
  ["1", VERSION_1],
  ["2", VERSION_2],
])("the session of the SDK, version %s, goes on after a call too many and one too large", async (_version, connect) => {
  const requests = { amount: 20, per_ms: 20_000 };
  await start({ clock: () => new Date(now), limits: { requests } });
  const { ask, end } = await connect();
  expect(await ask("get_thing", LARGE)).toMatchObject(fault("body_too_large"));
  const results = [];
  for (let n = 0; n < 20; n += 1) results.push(await ask("get_thing", { thing_id: "x" }));
  expect(results.at(-1)).toMatchObject(fault("rate_limited"));
  now += 20_000;
  expect(await ask("get_thing", { thing_id: "x" })).toMatchObject({ structuredContent: { thing_id: "x" } });
  await end();
});

test.each([["application/json"], ["application/json, text/event-stream"]])(
  "calls in a row put no more listeners on a response than Node expects (%s)",
  async (accept) => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => warnings.push(name);
    process.on("warning", onWarning);
    const { tool } = await start();
    for (let n = 0; n < 3; n += 1) await (await tool("get_thing", { thing_id: "x" }, { accept })).text();
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  },
);

test.each([
  ["1", () => endpoint.connect("another-token-0123456789-abcdefghijkl")],
  ["2", () => connect2("another-token-0123456789-abcdefghijkl")],
])("the SDK, version %s, shows what a refused token lacks", async (_version, connect) => {
  await start();
  await expect(connect()).rejects.toThrow(/Send Authorization: Bearer <token>/);
});
