// Servers that know only tools/call: what counts as a response.
import { expect, test } from "vitest";
import { createToolServers } from "../../../src/mcp-client/tool-servers.ts";
import { type Received, rpcError, rpcResult, sendJson, startRawServer } from "../../support/tool-server.ts";

type Answer = (received: Received, response: Parameters<Parameters<typeof startRawServer>[0]>[1]) => unknown;

/** Calls a server that refuses everything but tools/call. */
async function callNaive(answer: Answer) {
  await using server = await startRawServer((received, response) =>
    received.body?.method === "tools/call"
      ? answer(received, response)
      : sendJson(response, rpcError(received.body?.id ?? null, -32_601, "Method not found")),
  );
  const servers = createToolServers({ servers: new Map([["naive", { url: server.url, token: null }]]), version: "1" });
  const bounds = { limit_ms: 5_000, signal: new AbortController().signal };
  const got = await servers.call({ server: "naive", tool: "create", arguments: {} }, bounds);
  await servers.close();
  expect(server.calls()).toHaveLength(1);
  return got;
}

const DONE = { content: [{ type: "text", text: "done" }] };
const LARGE = { text: "x".repeat(5 * 1024 * 1024) };
const stream = (...lines: string[]) => lines.map((line) => `${line}\n\n`).join("");

test.each<[string, Answer]>([
  ["", ({ body }, r) => sendJson(r, rpcResult(body.id, LARGE))],
  [
    " on a stream",
    ({ body }, r) =>
      r
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(stream(`data: ${JSON.stringify(rpcResult(body.id, LARGE))}`)),
  ],
])("a response over the size%s does not say whether the tool succeeded", async (_how, answer) => {
  const stderr = "the tool was run, and its answer is not kept: the answer has more than 4194304 bytes";
  expect(await callNaive(answer)).toEqual({ ok: false, stderr, executed: "unknown", timed_out: false });
});

test.each<[string, Answer]>([
  ["without a content type", ({ body }, response) => response.end(JSON.stringify(rpcResult(body.id, DONE)))],
  [
    "as text",
    ({ body }, r) => r.writeHead(200, { "content-type": "text/plain" }).end(JSON.stringify(rpcResult(body.id, DONE))),
  ],
  ["with the id as text", ({ body }, r) => sendJson(r, rpcResult(String(body.id), DONE))],
  ["in a batch", ({ body }, r) => sendJson(r, [rpcResult(body.id, DONE)])],
  ["without the version", ({ body }, r) => sendJson(r, { id: body.id, result: DONE })],
  [
    "on a stream that stays open",
    ({ body }, r) =>
      r
        .writeHead(200, { "content-type": "text/event-stream" })
        .write(stream(`data: ${JSON.stringify(rpcResult(body.id, DONE))}`)),
  ],
  [
    "behind events of other kinds",
    ({ body }, r) =>
      r
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(stream("event: ping\ndata: now", "data: {no", `data: ${JSON.stringify(rpcResult(body.id, DONE))}`)),
  ],
])("a response %s is accepted", async (_how, answer) => {
  expect(await callNaive(answer)).toEqual({ ok: true, stdout: JSON.stringify(DONE) });
});

test.each<[string, unknown]>([
  ["text", "done"],
  ["a list", [1, 2]],
  ["nothing", null],
])("a result that is %s is kept unchanged", async (_what, result) => {
  const answer = await callNaive(({ body }, response) => sendJson(response, { jsonrpc: "2.0", id: body.id, result }));
  expect(answer).toEqual({ ok: true, stdout: JSON.stringify(result) });
});

test.each<[string, Answer, boolean | "unknown"]>([
  ["something else", (_received, r) => r.writeHead(200, { "content-type": "text/plain" }).end("thanks"), "unknown"],
  ["nothing", (_received, r) => r.writeHead(204).end(), "unknown"],
  [
    "a page, though it has understood the handshake's refusal",
    (_received, r) => r.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    "unknown",
  ],
  ["a redirect behind it", (_received, r) => r.writeHead(303, { location: "/" }).end(), "unknown"],
  ["an error with a status", ({ body }, r) => sendJson(r, rpcError(body.id, -1, "no"), 422), "unknown"],
  ["a refusal", (_received, r) => r.writeHead(413).end(), false],
  ["a gateway", (_received, r) => r.writeHead(504).end(), "unknown"],
  ["an error", ({ body }, r) => sendJson(r, rpcError(body.id, -1, "no")), "unknown"],
])("a failure says whether the tool was run: %s", async (_what, answer, executed) => {
  expect(await callNaive(answer)).toMatchObject({ ok: false, executed });
});
