// The protocol on the wire, with clients that send no headers, use another revision or disconnect.
import { describe, expect, test } from "vitest";
import type { Caller } from "../../../src/api/operations/operation.ts";
import { eachTime } from "../../support/held.ts";
import { bearer, TOKEN } from "../../support/http-endpoint.ts";
import { eventsIn, rpc, startMcp, toolCall } from "../../support/mcp-endpoint.ts";
import { someOperations } from "../../support/some-operations.ts";

const start = eachTime(startMcp);

const BOTH = "application/json, text/event-stream";
const ECHO = { thing_id: "x", count: 1, token_id: "supervisor" };

describe("a tool call without initialize", () => {
  test("is answered as an event stream to a client that accepts one", async () => {
    const { tool } = await start();
    const answer = await tool("get_thing", { thing_id: "x" }, { accept: BOTH });
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(eventsIn(await answer.text())).toEqual([
      { jsonrpc: "2.0", id: 1, result: expect.objectContaining({ structuredContent: ECHO }) },
    ]);
  });

  test.each([["*/*"], ["application/json"], [""], ["text/html"]])(
    "is answered as JSON to a client that accepts %j",
    async (accept) => {
      const { tool } = await start();
      const answer = await tool("get_thing", { thing_id: "x" }, { accept });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(await answer.json()).toMatchObject({ id: 1, result: { structuredContent: ECHO } });
    },
  );

  test("is answered to a client that sends no Accept at all", async () => {
    const { raw } = await start();
    const body = JSON.stringify(toolCall("get_thing", { thing_id: "x" }));
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n`;
    const answer = await raw(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toContain('"structuredContent":{"thing_id":"x"');
  });

  test("keeps its id, also a string, and an unknown session id is ignored", async () => {
    const { send } = await start();
    const message = toolCall("get_thing", { thing_id: "x" }, "call-7");
    const answer = await send(message, { "mcp-session-id": "an-old-one", "mcp-protocol-version": "2025-06-18" });
    expect(await answer.json()).toMatchObject({ id: "call-7", result: { structuredContent: ECHO } });
    expect(answer.headers.get("mcp-session-id")).toBeNull();
    expect(answer.headers.get("x-request-id")).toEqual(expect.any(String));
  });
});

describe("initialize", () => {
  test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])("agrees on %s", async (protocolVersion) => {
    const { send } = await start();
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "a", version: "1" } };
    expect(await (await send(rpc("initialize", params))).json()).toMatchObject({
      result: {
        protocolVersion,
        capabilities: { tools: {}, resources: {}, prompts: {} },
        serverInfo: { name: "orch", version: "0.0.0" },
        instructions: expect.stringContaining("submit_task"),
      },
    });
  });

  test("offers its newest revision for an unknown one", async () => {
    const { send } = await start();
    const params = { protocolVersion: "2026-07-28", capabilities: {}, clientInfo: { name: "a", version: "1" } };
    expect(await (await send(rpc("initialize", params))).json()).toMatchObject({
      result: { protocolVersion: "2025-11-25" },
    });
  });
});

describe("a message", () => {
  test("that is a notification is accepted and not answered", async () => {
    const { send } = await start();
    const answer = await send({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect([answer.status, await answer.text()]).toEqual([202, ""]);
  });

  test.each(["ping", "tools/list", "prompts/list", "resources/templates/list"])(
    "%s is answered without initialize",
    async (method) => {
      const { send } = await start();
      expect(await (await send(rpc(method))).json()).toMatchObject({ id: 1, result: expect.any(Object) });
    },
  );

  test.each(["server/discover", "logging/setLevel", "completion/complete", "resources/subscribe", "x"])(
    "with the unknown method %s is a JSON-RPC error",
    async (method) => {
      const { send } = await start();
      const answer = await send(rpc(method, {}));
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32601 } });
    },
  );

  test("that asks for a task of the protocol, which is not offered, runs nothing", async () => {
    const calls: Caller[] = [];
    const { send } = await start({ operations: someOperations((caller) => calls.push(caller)) });
    const params = { name: "wait", arguments: {}, task: { ttl: 1000 } };
    expect(await (await send(rpc("tools/call", params))).json()).toMatchObject({ error: { code: -32603 } });
    expect(calls).toEqual([]);
  });
});

describe("the guards of the HTTP endpoint", () => {
  test.each(["GET", "DELETE", "PUT"])("refuse %s with 405: there are no sessions", async (method) => {
    const { url } = await start();
    const answer = await fetch(`${url}/mcp`, { method, headers: { ...bearer(), accept: "text/event-stream" } });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
  });

  const JSON_TYPE = { "content-type": "application/json" };
  const DEEP = `{"a":${"[".repeat(99)}${"]".repeat(99)}}`;
  test.each([
    ["text that is not JSON", "{", JSON_TYPE, 400, -32700, /not JSON/],
    ["a field that is there twice", '{"id":1,"id":2}', JSON_TYPE, 400, -32600, /accepted\. id is there twice/],
    ["what nests too deep", DEEP, JSON_TYPE, 400, -32600, /a\.0.* is nested deeper/],
    ["what is too large", `"${"x".repeat(1024 * 1024)}"`, JSON_TYPE, 413, -32600, /1 MiB/],
    ["another media type", "{}", { "content-type": "text/plain" }, 415, -32600, /Content-Type/],
    ["a page of another origin", "{}", { ...JSON_TYPE, origin: "http://x.test" }, 403, -32000, /ORCH_ALLOWED_ORIGINS/],
  ])("refuse %s as an error of JSON-RPC without an id", async (_what, body, headers, status, code, message) => {
    const { url } = await start();
    const answer = await fetch(`${url}/mcp`, { method: "POST", headers: { ...bearer(), ...headers }, body });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "application/json; charset=utf-8"]);
    expect(await answer.json()).toMatchObject({
      jsonrpc: "2.0",
      id: null,
      error: { code, message: expect.stringMatching(message), data: { status, code: expect.any(String) } },
    });
  });

  test("refuse another Host alike", async () => {
    const { raw } = await start();
    const answer = await raw("POST /mcp HTTP/1.1\r\nHost: x.test\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    expect(answer).toMatch(
      /^HTTP\/1\.1 421[\s\S]*"jsonrpc":"2\.0","id":null,"error":\{"code":-32000,"message":"The Host/,
    );
  });

  test("answer a request without a token with the header that says what is missing", async () => {
    const { url } = await start();
    const answer = await fetch(`${url}/mcp`, { method: "POST", headers: JSON_TYPE, body: "{" });
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await answer.json()).toMatchObject({ id: null, error: { code: -32000, data: { code: "unauthorized" } } });
  });
});

describe("a waiting client", () => {
  test.each([["application/json"], [BOTH]])("ends its own wait when it disconnects (%s)", async (accept) => {
    const { promise: waiting, resolve } = Promise.withResolvers<Caller>();
    const { url, tool, lines } = await start({ operations: someOperations(resolve) });
    const gone = new AbortController();
    const headers = { ...bearer(), "content-type": "application/json", accept };
    const body = JSON.stringify(toolCall("wait"));
    const reading = fetch(`${url}/mcp`, { method: "POST", headers, body, signal: gone.signal })
      .then((answer) => answer.text())
      .catch(({ name }: Error) => name);
    const { signal } = await waiting;
    expect(signal.aborted).toBe(false);
    gone.abort();
    expect(await reading).toBe("AbortError");
    await expect.poll(() => signal.aborted).toBe(true);
    expect((await tool("get_thing", { thing_id: "x" })).status, "others are served").toBe(200);
    expect(lines.join("")).not.toContain('"level":50');
  });

  test("gets a response when the server stops", async () => {
    const { promise: waiting, resolve } = Promise.withResolvers<Caller>();
    const { tool, stop } = await start({ operations: someOperations(resolve) });
    const answer = tool("wait", {}, { accept: BOTH });
    await waiting;
    const stopped = stop();
    expect(eventsIn(await (await answer).text())).toMatchObject([{ result: { structuredContent: { aborted: true } } }]);
    await stopped;
  });
});
