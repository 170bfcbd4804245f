// What a tool server may do wrong: each has its words on stderr, and is called at most once.
import { describe, expect, test } from "vitest";
import { afterHandshake, callOnce, rpcError, rpcResult, sendJson, startRawServer } from "../../support/tool-server.ts";

type Handler = Parameters<typeof startRawServer>[0];

const answering = (result: object): Handler =>
  afterHandshake(({ body }, response) => sendJson(response, rpcResult(body.id, result)));

const LARGE = { text: "x".repeat(5 * 1024 * 1024) };

const page =
  (status: number, text: string): Handler =>
  (_received, response) =>
    response.writeHead(status, { "content-type": "text/html" }).end(text);

const nested = (depth: number): Handler =>
  afterHandshake(({ body }, response) => {
    const value = "[".repeat(depth) + "]".repeat(depth);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`{"jsonrpc":"2.0","id":${body.id},"result":{"held":${value}}}`);
  });

describe("the tool was certainly not run when", () => {
  test.each<[string, Handler, string | RegExp]>([
    ["the token is refused", page(401, "bad token"), "HTTP 401 bad token"],
    ["the way in is forbidden", page(403, "not you"), "HTTP 403 not you"],
    ["the server is busy", page(429, "later"), "HTTP 429 later"],
    ["the path is wrong", page(404, "<h1>no</h1>"), "HTTP 404 <h1>no</h1>"],
    ["a page to log in answers", page(200, "<form>"), /text\/html/],
    [
      "it redirects",
      (_received, response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
      /redirect/,
    ],
    [
      "it knows no such tool",
      afterHandshake(({ body }, r) => sendJson(r, rpcError(body.id, -32_602, "no such tool"))),
      "no such tool",
    ],
    ["the handshake is cut", (_received, response) => response.destroy(), /no handshake|other side closed/],
    ["the server is down for a while", page(503, "down"), "HTTP 503 down"],
    ["the handshake fails inside", page(500, "oops"), "HTTP 500 oops"],
    [
      "no revision is left that both speak",
      (({ body }, r) => sendJson(r, rpcError(body.id ?? null, -32_022, "unsupported"))) as Handler,
      "unsupported",
    ],
    ["the call is refused", afterHandshake((_received, r) => r.writeHead(413).end("too large")), "HTTP 413 too large"],
  ])("%s", async (_what, handler, said) => {
    await using server = await startRawServer(handler);
    const answer = await callOnce(server.url);
    expect(answer).toMatchObject({ ok: false, executed: false });
    expect(answer.ok ? "" : answer.stderr).toMatch(said);
    expect(server.calls().length).toBeLessThanOrEqual(2);
  });

  test.each([
    ["nothing listens", "http://127.0.0.1:59999/mcp", /ECONNREFUSED 127.0.0.1:59999/],
    ["nothing listens at any address of the name", "http://localhost:59999/mcp", /ECONNREFUSED/],
    ["nothing listens at a port that browsers do not call", "http://127.0.0.1:25/mcp", /ECONNREFUSED 127.0.0.1:25/],
    ["nobody has the name", "http://no-such-name.invalid/mcp", /ENOTFOUND|EAI_AGAIN/],
  ])("%s [7.2]", async (_what, url, said) => {
    const answer = await callOnce(url);
    expect(answer).toMatchObject({ ok: false, executed: false });
    expect(answer.ok ? "" : answer.stderr).toMatch(said);
  });

  test("it does not answer the handshake", async () => {
    await using server = await startRawServer(() => undefined);
    const answer = await callOnce(server.url, 300);
    expect(answer).toMatchObject({ ok: false, executed: false, stderr: expect.stringContaining("no handshake") });
    expect(server.calls()).toEqual([]);
  });
});

describe("whether the tool has succeeded is not known when", () => {
  test.each<[string, Handler]>([
    ["its answer is too large", answering(LARGE)],
    [
      "its answer in a stream is too large",
      afterHandshake(({ body }, r) =>
        r
          .writeHead(200, { "content-type": "text/event-stream" })
          .end(`: hello\n\nid: e1\ndata: ${JSON.stringify(rpcResult(body.id, LARGE))}\n\n`),
      ),
    ],
  ])("%s [7.2]", async (_what, handler) => {
    await using server = await startRawServer(handler);
    const stderr = expect.stringContaining("the answer has more than 4194304 bytes");
    expect(await callOnce(server.url)).toMatchObject({ ok: false, executed: "unknown", stderr });
    expect(server.calls()).toHaveLength(1);
  });
});

describe("the tool has answered, and not with success, when", () => {
  test.each<[string, Handler, string]>([
    [
      "it reports an error",
      answering({
        isError: true,
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      }),
      "a\nb",
    ],
    ["it reports an error without a word", answering({ isError: true, content: [] }), "isError"],
    [
      "its error is content like any other",
      answering({ content: [{ type: "text", text: '{"error":"no note"}' }] }),
      "no note",
    ],
    ["it asks for input", answering({ resultType: "input_required" }), "not supported"],
    ["its answer is too deep", nested(100), "64 levels"],
    ["its answer is so deep that walking it would end us", nested(200_000), "64 levels"],
  ])("%s [7.2]", async (_what, handler, said) => {
    await using server = await startRawServer(handler);
    expect(await callOnce(server.url)).toMatchObject({
      ok: false,
      executed: true,
      stderr: expect.stringContaining(said),
    });
    expect(server.calls()).toHaveLength(1);
  });
});

describe("the tool may have run, and its outcome is not known, when", () => {
  test.each<[string, Handler, string]>([
    ["it is down after the handshake", afterHandshake((_received, r) => r.writeHead(503).end("down")), "HTTP 503 down"],
    [
      "the server fails inside",
      afterHandshake(({ body }, r) => sendJson(r, rpcError(body.id, -32_603, "inside"))),
      "inside",
    ],
    ["the server answers 500", afterHandshake((_received, r) => r.writeHead(500).end("oops")), "HTTP 500 oops"],
    [
      "it fails with the commonest code of all",
      afterHandshake(({ body }, r) => sendJson(r, rpcError(body.id, -32_000, "note not found"))),
      "note not found",
    ],
    [
      "its own code is that of another revision",
      afterHandshake(({ body }, r) => sendJson(r, rpcError(body.id, -32_042, "own code"))),
      "own code",
    ],
    [
      "its error comes with a status",
      afterHandshake(({ body }, r) => sendJson(r, rpcError(body.id, -32_000, "no such note"), 422)),
      "no such note",
    ],
  ])("%s [7.2]", async (_what, handler, said) => {
    await using server = await startRawServer(handler);
    expect(await callOnce(server.url)).toMatchObject({
      ok: false,
      executed: "unknown",
      stderr: expect.stringContaining(said),
    });
    expect(server.calls()).toHaveLength(1);
  });
});

test.each([-32_020, -32_022])("an error of a tool with the code %i does not make it be called again", async (code) => {
  await using server = await startRawServer(
    afterHandshake(({ body }, response) => sendJson(response, rpcError(body.id, code, "mine")), "a-session"),
  );
  expect(await callOnce(server.url)).toMatchObject({ ok: false, stderr: "mine" });
  expect(server.calls()).toHaveLength(1);
});

test.each<[string, object]>([
  ["content that is no list", { content: "odd" }],
  ["content without a type", { content: [{ text: "x" }] }],
  ["no content", {}],
  [
    "two texts, one of which looks like an error",
    {
      content: [
        { type: "text", text: '{"error":"x"}' },
        { type: "text", text: "y" },
      ],
    },
  ],
  ["an error beside other keys", { content: [{ type: "text", text: '{"error":"x","id":1}' }] }],
])("odd but no error: %s is a success, kept as it came", async (_what, result) => {
  await using server = await startRawServer(answering(result));
  expect(await callOnce(server.url)).toEqual({ ok: true, stdout: JSON.stringify(result) });
});

test("a stream of events, with others before the answer, is read to the answer", async () => {
  const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } };
  await using server = await startRawServer(
    afterHandshake(({ body }, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const message of [progress, rpcResult(body.id, { content: [] })])
        response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
      response.end();
    }),
  );
  expect(await callOnce(server.url)).toEqual({ ok: true, stdout: '{"content":[]}' });
});

test("a stream that can be resumed is resumed, and the call is not made again", async () => {
  let id: unknown;
  await using server = await startRawServer((received, response, request) => {
    if (received.method === "GET" && received.headers["last-event-id"] === "e1") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      return response.end(`id: e2\ndata: ${JSON.stringify(rpcResult(id, { content: [] }))}\n\n`);
    }
    return afterHandshake(({ body }, r) => {
      id = body.id;
      r.writeHead(200, { "content-type": "text/event-stream" }).end("id: e1\nretry: 10\ndata: \n\n");
    })(received, response, request);
  });
  expect(await callOnce(server.url)).toEqual({ ok: true, stdout: '{"content":[]}' });
  expect(server.calls()).toHaveLength(1);
});
