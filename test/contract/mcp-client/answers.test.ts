// What a tool server answers to a call, or does instead: whether the tool has run, the words on stderr, and that the call is made once.
import { describe, expect, test } from "vitest";
import {
  afterHandshake,
  callOnce,
  events,
  type Handler,
  http,
  inSession,
  naive,
  result,
  rpc,
  rpcResult,
  sendJson,
  startRawServer,
  type ToolAnswer,
} from "../../support/tool-server.ts";

type Row = [what: string, handler: Handler, said: string | RegExp];

const always =
  (answer: ToolAnswer): Handler =>
  ({ body }, response) =>
    answer(body?.id ?? null, response);
const json = (text: string): ToolAnswer => http(200, text, { "content-type": "application/json" });
const silent: ToolAnswer = () => undefined;
const broken: ToolAnswer = (_id, response) => response.destroy();

const LARGE = { text: "x".repeat(5 * 1024 * 1024) };
const LARGE_EVENT = `data: ${JSON.stringify({ jsonrpc: "2.0", id: "ID", result: LARGE }).replace('"ID"', "ID")}\n\n`;
const TEXT = (...texts: string[]) => ({ content: texts.map((text) => ({ type: "text", text })) });
const DONE = TEXT("done");
const DONE_EVENT = `data: {"jsonrpc":"2.0","id":ID,"result":${JSON.stringify(DONE)}}\n\n`;

const table = (title: string, executed: boolean | "unknown", rows: Row[]) =>
  describe(title, () => {
    test.each(rows)("%s [7.2]", async (_what, handler, said) => {
      await using server = await startRawServer(handler);
      const answer = await callOnce(server.url, 60_000);
      expect(answer).toMatchObject({ ok: false, executed, timed_out: false });
      expect(answer.ok ? "" : answer.stderr).toMatch(said);
      expect(server.calls().length).toBeLessThanOrEqual(1);
    });
  });

table("the tool was certainly not run when", false, [
  ["the token is refused", always(http(401, "bad token")), "HTTP 401 bad token"],
  ["the way in is forbidden", always(http(403, "not you")), "HTTP 403 not you"],
  ["the server is busy", always(http(429, "later")), "HTTP 429 later"],
  ["the path is wrong", always(http(404, "<h1>no</h1>")), "HTTP 404 <h1>no</h1>"],
  ["a page to log in answers", always(http(200, "<form>")), /text\/html/],
  ["it redirects", always(http(307, "", { location: "http://127.0.0.1:1/" })), /redirect/],
  ["it knows no such tool", inSession(rpc(-32_602, "no such tool")), "no such tool"],
  ["the handshake is cut", always(broken), /no handshake|other side closed/],
  ["the server is down for a while", always(http(503, "down")), "HTTP 503 down"],
  ["the handshake fails inside", always(http(500, "oops")), "HTTP 500 oops"],
  ["the call is refused", inSession(http(413, "too large")), "HTTP 413 too large"],
  ["a server without a handshake refuses it", naive(http(413)), "HTTP 413"],
]);

table("the tool has answered, and not with success, when", true, [
  ["it reports an error", inSession(result({ isError: true, ...TEXT("a", "b") })), "a\nb"],
  ["it reports an error without a word", inSession(result({ isError: true, content: [] })), "isError"],
  ["its error is content like any other", inSession(result(TEXT('{"error":"no note"}'))), "no note"],
  ["it asks for input", inSession(result({ resultType: "input_required" })), "not supported"],
  ["its answer is too deep", nested(100), "64 levels"],
  ["its answer is so deep that walking it would end us", nested(200_000), "64 levels"],
]);

function nested(depth: number): Handler {
  const value = "[".repeat(depth) + "]".repeat(depth);
  return inSession((id, response) => json(`{"jsonrpc":"2.0","id":${id},"result":{"held":${value}}}`)(id, response));
}

table("the tool may have run, and its outcome is not known, when", "unknown", [
  ["it is down after the handshake", inSession(http(503, "down")), "HTTP 503 down"],
  ["the server fails inside", inSession(rpc(-32_603, "inside")), "inside"],
  ["the server answers 500", inSession(http(500, "oops")), "HTTP 500 oops"],
  ["it fails with the commonest code of all", inSession(rpc(-32_000, "note not found")), "note not found"],
  ["its own code is that of another revision", inSession(rpc(-32_042, "own code")), "own code"],
  ["its error comes with a status", inSession(rpc(-32_000, "no such note", 422)), "no such note"],
  ["its answer is too large", inSession(result(LARGE)), "more than 4194304 bytes"],
  ["its answer on a stream is too large", inSession(events(`: hello\n\nid: e1\n${LARGE_EVENT}`)), "answer is not kept"],
  ["an answer without a handshake is too large", naive(result(LARGE)), "answer is not kept: the answer has more"],
  [
    "one on a stream, without a handshake, is too large",
    naive(events(LARGE_EVENT)),
    "answer is not kept: the answer has more",
  ],
  ["the connection breaks before the answer", inSession(broken), "other side closed"],
  ["the stream ends without the answer", inSession(events(": nothing\n\n")), "ended before the answer"],
  ["the stream is cut", inSession(events(": nothing\n\n", "cut")), "lost before the answer"],
  ["what the stream says is no JSON", inSession(events("data: {no\n\n")), "ended before the answer"],
  ["the answer is no JSON", inSession(json("{no")), "JSON"],
  ["the call is accepted and never answered", inSession(http(202)), "does not answer"],
  ["another question is answered", inSession((_id, r) => sendJson(r, rpcResult(99, {}))), "before the answer"],
  [
    "an error answers another question",
    inSession((_id, r) => rpc(-32_600, "no")("server-error", r)),
    "before the answer",
  ],
  ["a gateway gives up", inSession(http(504, "late")), "HTTP 504 late"],
  ["a gateway has lost the server", inSession(http(502, "lost")), "HTTP 502 lost"],
  ["a page answers after the handshake", inSession(http(200, "<p>")), "text/html"],
  ["a redirect answers after the handshake", inSession(http(303, "", { location: "/" })), "redirect"],
  ["nothing is said after the handshake", inSession(http(204, "", {})), "content type"],
  ["the answer lacks the words of the protocol", inSession((id, r) => sendJson(r, { id, result: {} })), "not JSON-RPC"],
  ["the stream is too large before the answer", inSession(events(LARGE_EVENT.replace("ID", "99"))), "4194304 bytes"],
  ["a page that is too large answers after the handshake", inSession(http(502, LARGE.text)), "HTTP 502"],
  [
    "a server without a handshake answers with words",
    naive(http(200, "thanks", { "content-type": "text/plain" })),
    "not JSON-RPC",
  ],
  ["a server without a handshake says nothing", naive(http(204, "", {})), "content type"],
  ["a page answers, where a server has refused the handshake", naive(http(200, "<p>")), "text/html"],
  ["a redirect answers there", naive(http(303, "", { location: "/" })), "redirect"],
  ["an error with a status answers there", naive(rpc(-1, "no", 422)), "no"],
  ["an error answers there", naive(rpc(-1, "no")), "no"],
  ["a gateway answers there", naive(http(504)), "HTTP 504"],
]);

test.each([
  ["nothing listens", "http://127.0.0.1:59999/mcp", /ECONNREFUSED 127.0.0.1:59999/],
  ["nothing listens at any address of the name", "http://localhost:59999/mcp", /ECONNREFUSED/],
  ["nothing listens at a port that browsers do not call", "http://127.0.0.1:25/mcp", /ECONNREFUSED 127.0.0.1:25/],
  ["nobody has the name", "http://no-such-name.invalid/mcp", /ENOTFOUND|EAI_AGAIN/],
])("the tool was certainly not run when %s [7.2]", async (_what, url, said) => {
  const answer = await callOnce(url);
  expect(answer).toMatchObject({ ok: false, executed: false, stderr: expect.stringMatching(said) });
});

test.each<[string, Handler, object, number]>([
  ["the handshake", always(silent), { executed: false, stderr: expect.stringContaining("no handshake") }, 0],
  [
    "the call",
    inSession(silent),
    { executed: "unknown", timed_out: true, stderr: expect.stringContaining("0.3 s") },
    1,
  ],
])("a server that does not answer %s in time is not waited for", async (_what, handler, answer, calls) => {
  await using server = await startRawServer(handler);
  expect(await callOnce(server.url, 300)).toMatchObject({ ok: false, ...answer });
  expect(server.calls()).toHaveLength(calls);
});

test.each<[string, Handler, number]>([
  ["of a tool, in a session", inSession(rpc(-32_020, "mine"), "a-session"), 1],
  ["of a tool, in a session, about the revision", inSession(rpc(-32_022, "mine"), "a-session"), 1],
  ["of a server with which no revision is left", always(rpc(-32_022, "mine")), 2],
])("an error with a code of the newer revision is kept as it is: %s", async (_whose, handler, most) => {
  await using server = await startRawServer(handler);
  expect(await callOnce(server.url)).toMatchObject({ ok: false, stderr: "mine" });
  expect(server.calls().length).toBeLessThanOrEqual(most);
});

const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}';
const sent =
  (message: (id: unknown) => unknown): ToolAnswer =>
  (id, r) =>
    sendJson(r, message(id));

test.each<[string, Handler, unknown]>([
  ["content that is no list", inSession(result({ content: "odd" })), { content: "odd" }],
  ["content without a type", inSession(result({ content: [{ text: "x" }] })), { content: [{ text: "x" }] }],
  ["no content", inSession(result({})), {}],
  ["two texts, one like an error", inSession(result(TEXT('{"error":"x"}', "y"))), TEXT('{"error":"x"}', "y")],
  ["an error beside other keys", inSession(result(TEXT('{"error":"x","id":1}'))), TEXT('{"error":"x","id":1}')],
  ["no facts, where the SDK wants some", inSession(result({ ...DONE, _meta: null })), { ...DONE, _meta: null }],
  [
    "odd facts, last",
    inSession(result({ ...DONE, _meta: { progressToken: {} } })),
    { ...DONE, _meta: { progressToken: {} } },
  ],
  ["progress before it", inSession(events(`event: message\ndata: ${PROGRESS}\n\n${DONE_EVENT}`)), DONE],
  ["its id as text, in a session", inSession(sent((id) => rpcResult(String(id), DONE))), DONE],
  ["no content type", naive((id, r) => r.end(JSON.stringify(rpcResult(id, DONE)))), DONE],
  [
    "plain text",
    naive((id, r) => http(200, JSON.stringify(rpcResult(id, DONE)), { "content-type": "text/plain" })(id, r)),
    DONE,
  ],
  ["its id as text", naive(sent((id) => rpcResult(String(id), DONE))), DONE],
  ["a batch", naive(sent((id) => [rpcResult(id, DONE)])), DONE],
  ["no version", naive(sent((id) => ({ id, result: DONE }))), DONE],
  ["a stream that stays open", naive(events(DONE_EVENT, "open")), DONE],
  ["events of other kinds before it", naive(events(`event: ping\ndata: now\n\ndata: {no\n\n${DONE_EVENT}`)), DONE],
  ["text", naive(sent((id) => ({ jsonrpc: "2.0", id, result: "done" }))), "done"],
  ["a list", naive(sent((id) => ({ jsonrpc: "2.0", id, result: [1, 2] }))), [1, 2]],
  ["nothing", naive(sent((id) => ({ jsonrpc: "2.0", id, result: null }))), null],
])("an odd answer is a success, kept as it came: %s", async (_what, handler, value) => {
  await using server = await startRawServer(handler);
  expect(await callOnce(server.url)).toEqual({ ok: true, stdout: JSON.stringify(value) });
  expect(server.calls()).toHaveLength(1);
});

test.each<[string, object]>([
  ["without a version", { capabilities: {}, serverInfo: { name: "x" } }],
  ["without a name", { capabilities: {}, serverInfo: {} }],
  ["with null for a capability", { capabilities: { tools: null }, serverInfo: { name: "x", version: "1" } }],
  ["with icons in a form of its own", { capabilities: {}, serverInfo: { name: "x", version: "1", icons: "none" } }],
])("a server that welcomes %s is called in a session", async (_how, welcome) => {
  await using server = await startRawServer((received, response, request) =>
    received.body?.method === "initialize"
      ? sendJson(
          response.setHeader("mcp-session-id", "s"),
          rpcResult(received.body.id, { protocolVersion: "2025-06-18", ...welcome }),
        )
      : inSession(result(DONE))(received, response, request),
  );
  expect(await callOnce(server.url)).toMatchObject({ ok: true });
  const headers = { "mcp-session-id": "s", "mcp-protocol-version": "2025-06-18" };
  expect(server.calls()[0]).toMatchObject({ headers });
});

test("a stream that can be resumed is resumed, and the call is not made again", async () => {
  let id: unknown;
  await using server = await startRawServer((received, response, request) => {
    if (received.method === "GET" && received.headers["last-event-id"] === "e1")
      return events(DONE_EVENT)(id, response);
    return afterHandshake(({ body }, r) => {
      id = body.id;
      return events("id: e1\nretry: 10\ndata: \n\n")(id, r);
    })(received, response, request);
  });
  expect(await callOnce(server.url)).toMatchObject({ ok: true });
  expect(server.calls()).toHaveLength(1);
});
