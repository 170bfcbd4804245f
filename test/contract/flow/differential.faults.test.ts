// What the flow's script makes of tool servers that refuse, break or keep little of the protocol is what the local backend
// makes of them.
import { describe, test } from "vitest";
import { afterHandshake, rpcError, rpcResult, sendJson } from "../../support/tool-server.ts";
import { behind, DONE, data, events, expectSameCall, type Handler, text } from "./handlers.ts";

const failing = (code: number, status = 200): Handler =>
  afterHandshake(({ body }, response) => sendJson(response, rpcError(body.id, code, "it says no"), status));
const saying =
  (status: number, said: string, type = "text/html"): Handler =>
  (_received, response) =>
    response.writeHead(status, { "content-type": type }).end(said);

describe.concurrent("a refusal", () => {
  test.each([-32_700, -32_600, -32_601, -32_602, -32_603, -32_000, -32_001, -32_020, -32_022, -32_042, 7])(
    "with the code %i",
    async (code) => {
      await expectSameCall(failing(code));
      await expectSameCall(failing(code, 422));
    },
  );

  test.each([300, 304, 307, 400, 401, 403, 404, 405, 408, 413, 422, 429, 500, 501, 502, 503, 504, 530])(
    "with the status %i",
    async (status) => {
      await expectSameCall(saying(status, "<h1>no</h1>"));
      await expectSameCall(behind(status, "no\n"));
      await expectSameCall(behind(status));
    },
  );
});

describe.concurrent("an odd server", () => {
  test.each<[string, Handler]>([
    ["answers with a page", saying(200, "<form>")],
    ["answers with text", saying(200, "hello", "text/plain")],
    ["answers with JSON that is none of the protocol", saying(200, '{"ok":true}', "application/json")],
    ["answers with nothing", saying(204, "")],
    ["redirects", (_received, r) => r.writeHead(302, { location: "/elsewhere" }).end()],
    ["cuts the handshake", (_received, r) => r.destroy()],
    [
      "answers the handshake with an unknown revision",
      ({ body }, r) =>
        sendJson(
          r,
          rpcResult(body.id, {
            protocolVersion: "1999-01-01",
            capabilities: {},
            serverInfo: { name: "x", version: "1" },
          }),
        ),
    ],
    ["answers the handshake with something else", ({ body }, r) => sendJson(r, rpcResult(body.id, { hello: 1 }))],
    ["accepts the handshake and says no more", (_received, r) => r.writeHead(202).end()],
    [
      "refuses the end of the handshake",
      (received, r, q) =>
        received.body.id === undefined
          ? r.writeHead(404).end("no")
          : afterHandshake(({ body }, s) => sendJson(s, rpcResult(body.id, DONE)))(received, r, q),
    ],
    ["answers a page behind the handshake", behind(200, "<p>", { "content-type": "text/html" })],
    ["answers nothing behind the handshake", behind(204)],
    ["answers without a content type", behind(200, "{}")],
    ["accepts the call and does not answer it", behind(202)],
    ["redirects behind the handshake", behind(303, "", { location: "/" })],
    ["answers with broken JSON", behind(200, "{no", { "content-type": "application/json" })],
    ["answers another question", afterHandshake(({ body }, r) => sendJson(r, rpcResult(body.id + 7, {})))],
    [
      "answers without the words of the protocol",
      afterHandshake(({ body }, r) => sendJson(r, { id: body.id, result: {} })),
    ],
    [
      "answers with more words than there are",
      afterHandshake(({ body }, r) => sendJson(r, { ...rpcResult(body.id, {}), more: 1 })),
    ],
    ["answers with the id as text", afterHandshake(({ body }, r) => sendJson(r, rpcResult(String(body.id), DONE)))],
    [
      "answers in a batch",
      afterHandshake(({ body }, r) => sendJson(r, [{ jsonrpc: "2.0", method: "x" }, rpcResult(body.id, DONE)])),
    ],
    ["answers an error without an id", afterHandshake((_received, r) => sendJson(r, rpcError(null, -32_000, "no")))],
    ["hangs up", afterHandshake((_received, r) => r.destroy())],
    [
      "hangs up in the middle of its answer",
      afterHandshake((_received, r) => {
        r.writeHead(200, { "content-type": "application/json", "content-length": 99 }).write("{");
        setTimeout(() => r.destroy(), 30);
      }),
    ],
  ])("%s", async (_what, handler) => {
    await expectSameCall(handler);
  });

  test("does not answer the end of the handshake in time", async () => {
    const half: Handler = (received, response, request) => {
      if (received.body?.method === "initialize") afterHandshake(() => undefined)(received, response, request);
    };
    // What the server says of its tools is waited for as well, for 10 s.
    await expectSameCall(half, { limit_ms: 300 });
  }, 60_000);

  test("does not answer the call in time", async () => {
    const silent = afterHandshake(({ body }, response) =>
      body.method === "tools/call" ? undefined : sendJson(response, rpcResult(body.id, { tools: [] })),
    );
    await expectSameCall(silent, { limit_ms: 300 });
  });
});

describe.concurrent("a stream of events", () => {
  const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } };
  test.each<[string, Handler]>([
    ["with the answer", events((id) => data(rpcResult(id, DONE)))],
    [
      "with the answer behind others",
      events(
        (id) =>
          `: hello\n\nevent: message\n${data(progress)}event: ping\ndata: now\n\ndata: {no\n\n${data(rpcResult(id, DONE))}`,
      ),
    ],
    ["with an error", events((id) => data(rpcError(id, -32_000, "no")))],
    [
      "in several lines",
      events((id) => `data: {"jsonrpc":"2.0",\r\ndata: "id":${id},\r\ndata:"result":{"a":\r\ndata:1}}\r\n\r\n`),
    ],
    [
      "that stays open",
      events(
        (id) => data(rpcResult(id, DONE)),
        () => undefined,
      ),
    ],
    ["without the answer", events(() => ": nothing\n\n")],
    [
      "that is cut",
      events(
        () => ": nothing\n\n",
        (r) => setTimeout(() => r.destroy(), 30),
      ),
    ],
    ["that ends before its last line", events((id) => `data: ${JSON.stringify(rpcResult(id, DONE))}`)],
    ["with an answer that is too large", events((id) => data(rpcResult(id, { a: "x".repeat(4_300_000) })))],
    [
      "with characters in pieces",
      afterHandshake(async ({ body }, r) => {
        r.writeHead(200, { "content-type": "text/event-stream" });
        for (const byte of Buffer.from(data(rpcResult(body.id, text("größe 😀"))))) r.write(Buffer.of(byte));
        r.end();
      }),
    ],
  ])("%s", async (_what, handler) => {
    await expectSameCall(handler);
  });
});
