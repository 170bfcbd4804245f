// What the flow's script makes of tool servers without a handshake, and of sessions that end, is what the local backend does.
import { describe, test } from "vitest";
import { afterHandshake, rpcError, rpcResult, sendJson, startRawServer } from "../../support/tool-server.ts";
import { expectSame } from "./differential.ts";
import { call, DONE, data, expectSameCall, type Handler } from "./handlers.ts";

describe.concurrent("a server that knows only the call", () => {
  const naive =
    (answer: Handler): Handler =>
    (received, response, request) =>
      received.body?.method === "tools/call"
        ? answer(received, response, request)
        : sendJson(response, rpcError(received.body?.id ?? null, -32_601, "Method not found"));
  const stream = (answer: (id: unknown) => string, end = true): Handler =>
    naive(({ body }, r) => {
      r.writeHead(200, { "content-type": "text/event-stream" }).write(answer(body.id));
      if (end) r.end();
    });
  test.each<[string, Handler]>([
    ["answers", naive(({ body }, r) => sendJson(r, rpcResult(body.id, DONE)))],
    ["answers without a content type", naive(({ body }, r) => r.end(JSON.stringify(rpcResult(body.id, DONE))))],
    [
      "answers as text",
      naive(({ body }, r) =>
        r.writeHead(200, { "content-type": "text/plain" }).end(JSON.stringify(rpcResult(body.id, DONE))),
      ),
    ],
    [
      "answers as a page",
      naive(({ body }, r) =>
        r.writeHead(200, { "content-type": "text/html" }).end(JSON.stringify(rpcResult(body.id, DONE))),
      ),
    ],
    ["answers with the id as text", naive(({ body }, r) => sendJson(r, rpcResult(String(body.id), DONE)))],
    ["answers in a batch", naive(({ body }, r) => sendJson(r, [rpcResult(body.id, DONE)]))],
    ["answers without the version", naive(({ body }, r) => sendJson(r, { id: body.id, result: DONE }))],
    ["answers with text", naive(({ body }, r) => sendJson(r, { jsonrpc: "2.0", id: body.id, result: "done" }))],
    ["answers with null", naive(({ body }, r) => sendJson(r, { jsonrpc: "2.0", id: body.id, result: null }))],
    ["answers on a stream that stays open", stream((id) => data(rpcResult(id, DONE)), false)],
    ["answers on a stream that ends", stream(() => ": none\n\n")],
    ["answers with an error", naive(({ body }, r) => sendJson(r, rpcError(body.id, -1, "no")))],
    ["answers with an error and a status", naive(({ body }, r) => sendJson(r, rpcError(body.id, -1, "no"), 422))],
    ["answers with an error without an id", naive((_received, r) => sendJson(r, rpcError(null, -1, "no")))],
    ["answers with thanks", naive((_received, r) => r.writeHead(200, { "content-type": "text/plain" }).end("thanks"))],
    ["answers with nothing", naive((_received, r) => r.writeHead(204).end())],
    ["accepts", naive((_received, r) => r.writeHead(202).end())],
    ["answers with a page", naive((_received, r) => r.writeHead(200, { "content-type": "text/html" }).end("<p>"))],
    ["redirects", naive((_received, r) => r.writeHead(303, { location: "/" }).end())],
    ["refuses", naive((_received, r) => r.writeHead(413).end())],
    ["gives up", naive((_received, r) => r.writeHead(504).end("late"))],
    ["hangs up", naive((_received, r) => r.destroy())],
    ["answers too much", naive(({ body }, r) => sendJson(r, rpcResult(body.id, { a: "x".repeat(4_300_000) })))],
    [
      "knows only a newer revision",
      ({ body }, r) => sendJson(r, rpcError(body.id ?? null, -32_022, "unsupported"), 400),
    ],
    [
      "speaks a newer revision",
      ({ body, headers }, r) =>
        body.params?._meta && headers["mcp-name"] === "create"
          ? sendJson(r, rpcResult(body.id, { ...DONE, resultType: "complete" }))
          : sendJson(r, rpcError(body.id ?? null, -32_022, "unsupported"), 400),
    ],
  ])("can %s", async (_what, handler) => {
    await expectSameCall(handler);
  });

  test("can fail to answer in time", async () => {
    await expectSameCall(
      naive(() => undefined),
      { limit_ms: 300 },
    );
  });
});

describe.concurrent("a session", () => {
  test.each<[string, number, string]>([
    ["as the protocol has it", 404, JSON.stringify(rpcError(null, -32_001, "Session not found"))],
    ["by its status", 404, JSON.stringify(rpcError(null, -32_000, "gone"))],
    ["as many servers have it", 400, JSON.stringify(rpcError(null, -32_000, "Bad Request: Server not initialized"))],
    ["in brief", 400, '{"error":"missing_session_id"}'],
    ["in words", 400, "Invalid session ID"],
    ["with nothing", 404, ""],
    ["in a word of its own", 400, '{"error":{"message":"session not found"}}'],
    ["for other reasons", 400, JSON.stringify(rpcError(null, -32_000, "bad"))],
  ])("that is refused %s", async (_how, status, body) => {
    const notes = () => {
      let calls = 0;
      return startRawServer(
        afterHandshake((received, response) => {
          if (received.body.method !== "tools/call")
            return sendJson(response, rpcResult(received.body.id, { tools: [] }));
          calls += 1;
          if (calls === 2) return response.writeHead(status).end(body);
          return sendJson(response, rpcResult(received.body.id, { calls }));
        }, "a-session"),
      );
    };
    await expectSame({ steps: [call("one"), call("two"), call("three")], notes });
  });
});

describe.concurrent("a call without an answer", () => {
  test.each([{ readOnlyHint: true }, { idempotentHint: true }, { destructiveHint: true }, undefined, "odd"])(
    "to a tool with the hints %j",
    async (annotations) => {
      const handler = afterHandshake(({ body }, response) => {
        if (body.method === "tools/call") return response.destroy();
        const isFirst = body.params.cursor === undefined;
        const tools = isFirst
          ? [{ name: "other", annotations: { readOnlyHint: true } }]
          : [{ name: "create", annotations }];
        return sendJson(response, rpcResult(body.id, { tools, ...(isFirst ? { nextCursor: "2" } : {}) }));
      });
      await expectSameCall(handler);
    },
  );
});
