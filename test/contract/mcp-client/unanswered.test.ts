// Calls without a response: each is sent once, and orch detects a broken response before the time limit.
import { describe, expect, test } from "vitest";
import { afterHandshake, callOnce, rpcResult, sendJson, startRawServer } from "../../support/tool-server.ts";

type Handler = Parameters<typeof startRawServer>[0];

const LARGE = "x".repeat(5 * 1024 * 1024);

const sse = (text: string, end = true): Handler =>
  afterHandshake((_received, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(text);
    if (end) response.end();
    else setTimeout(() => response.destroy(), 50);
  });

describe("it is unknown whether the tool was run when", () => {
  test.each<[string, Handler, string]>([
    ["the connection breaks before the answer", afterHandshake((_received, r) => r.destroy()), "other side closed"],
    ["the stream ends without the answer", sse(": nothing\n\n"), "ended before the answer"],
    ["the stream is cut", sse(": nothing\n\n", false), "lost before the answer"],
    ["what the stream says is no JSON", sse("data: {no\n\n"), "ended before the answer"],
    [
      "the answer is no JSON",
      afterHandshake((_received, r) => r.writeHead(200, { "content-type": "application/json" }).end("{no")),
      "JSON",
    ],
    [
      "the call is accepted and never answered",
      afterHandshake((_received, r) => r.writeHead(202).end()),
      "does not answer",
    ],
    [
      "another question is answered",
      afterHandshake(({ body }, r) => sendJson(r, rpcResult(body.id + 7, {}))),
      "before the answer",
    ],
    ["a gateway gives up", afterHandshake((_received, r) => r.writeHead(504).end("late")), "HTTP 504 late"],
    ["a gateway has lost the server", afterHandshake((_received, r) => r.writeHead(502).end("lost")), "HTTP 502 lost"],
    [
      "a page answers after the handshake",
      afterHandshake((_received, r) => r.writeHead(200, { "content-type": "text/html" }).end("<p>")),
      "text/html",
    ],
    [
      "a redirect answers after the handshake",
      afterHandshake((_received, r) => r.writeHead(303, { location: "/" }).end()),
      "redirect",
    ],
    ["nothing is said after the handshake", afterHandshake((_received, r) => r.writeHead(204).end()), "content type"],
    [
      "the answer lacks the words of the protocol",
      afterHandshake(({ body }, r) => sendJson(r, { id: body.id, result: {} })),
      "not JSON-RPC",
    ],
    [
      "the stream is too large before the answer",
      sse(`data: ${JSON.stringify({ jsonrpc: "2.0", method: "log", params: { text: LARGE } })}\n\n`),
      "more than 4194304 bytes",
    ],
    [
      "a page that is too large answers after the handshake",
      afterHandshake((_received, r) => r.writeHead(502).end(LARGE)),
      "HTTP 502",
    ],
  ])("%s, which orch detects before the time limit", async (_what, handler, said) => {
    await using server = await startRawServer(handler);
    const answer = await callOnce(server.url, 60_000);
    expect(answer).toMatchObject({
      ok: false,
      executed: "unknown",
      timed_out: false,
      stderr: expect.stringContaining(said),
    });
    expect(server.calls()).toHaveLength(1);
  });

  test("the answer does not come in time", async () => {
    await using server = await startRawServer(afterHandshake(() => undefined));
    const answer = await callOnce(server.url, 300);
    expect(answer).toMatchObject({
      ok: false,
      executed: "unknown",
      timed_out: true,
      stderr: expect.stringContaining("0.3 s"),
    });
    expect(server.calls()).toHaveLength(1);
  });
});
