// A slow or hostile tool server blocks neither its callers nor orch.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  afterHandshake,
  events,
  http,
  inSession,
  openClient,
  result,
  rpc,
  rpcResult,
  sendJson,
  startRawServer,
  startSdkServer,
  type ToolAnswer,
} from "../../support/tool-server.ts";

const methodsOf = ({ received }: { received: readonly { body: { method?: string } | undefined }[] }) =>
  received.map(({ body }) => body?.method ?? "none");

describe("a call ends at its limit and when it is stopped", () => {
  test("when the handshake never ends", async () => {
    await using server = await startRawServer((received, response, request) => {
      const isBegin = received.body?.method === "initialize";
      return isBegin ? afterHandshake(() => undefined)(received, response, request) : undefined;
    });
    await using client = openClient(server.url);
    const limits = [{ limit_ms: 300 }, { limit_ms: 200 }, { limit_ms: 60_000, signal: AbortSignal.timeout(250) }];
    const calls = limits.map((limit) => client.call("create", {}, limit));
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ ok: false, executed: false });
    expect(server.calls()).toEqual([]);
  });

  test("when the list of tools has no end", async () => {
    let page = 0;
    await using server = await startRawServer(
      inSession(async (id, response) => {
        await sleep(30);
        page += 1;
        return sendJson(response, rpcResult(id, { tools: [], nextCursor: `page ${page}` }));
      }),
    );
    const { servers } = openClient(server.url);
    expect(await servers.mayRepeat({ server: "x", tool: "one" }, AbortSignal.timeout(300))).toBe(false);
    const before = page;
    await servers.close();
    await sleep(200);
    expect(page - before).toBeLessThan(5);
  });
});

test("a list of more pages than orch reads is no list that the server lacks", async () => {
  let page = 0;
  const next: ToolAnswer = (id, r) => sendJson(r, rpcResult(id, { tools: [], nextCursor: `page ${page++}` }));
  await using server = await startRawServer(inSession(next));
  await using client = openClient(server.url);
  const listing = await client.servers.listNow("x", AbortSignal.timeout(20_000));
  expect(listing).toMatchObject({ is: "unread", why: "its list of tools has more than 100 pages" });
});

test("an answered call is never cancelled", async () => {
  await using server = await startSdkServer({ sessions: true });
  await using client = openClient(server.url);
  const stop = new AbortController();
  for (const tool of ["set", "set", "fail", "none"])
    await client.call(tool, {}, { limit_ms: 200, signal: stop.signal });
  await sleep(400);
  stop.abort();
  await sleep(100);
  expect(methodsOf(server)).not.toContain("notifications/cancelled");
});

test.each([true, false])(
  "an unanswered call is cancelled, and its handshake is not; sessions: %s",
  async (sessions) => {
    await using server = await startSdkServer({ sessions });
    await using client = openClient(server.url);
    await client.call("hold", {}, { limit_ms: 200 });
    await expect.poll(() => methodsOf(server)).toContain("notifications/cancelled");
    const cancelled = server.received.find(({ body }) => body?.method === "notifications/cancelled");
    expect(cancelled?.body.params.requestId).toBe(server.calls()[0]?.body.id);
  },
);

const LOST = "created, but its session was not found";

test.each<[string, ToolAnswer]>([
  ["with an id of ours", rpc(-32_000, LOST, 400)],
  ["in words of its own", http(400, JSON.stringify({ error: { message: LOST } }))],
])("a tool's error that mentions a lost session is not treated as one: %s", async (_how, refuse) => {
  await using server = await startRawServer(
    afterHandshake(
      ({ body }, response) => (body.params.name === "first" ? result({}) : refuse)(body.id, response),
      "a-session",
    ),
  );
  await using client = openClient(server.url);
  await client.call("first");
  expect(await client.call("second")).toMatchObject({
    ok: false,
    stderr: expect.stringContaining("its session was not found"),
  });
  expect(server.calls()).toHaveLength(2);
});

test("a call in flight ends as unknown when orch stops", async () => {
  await using server = await startSdkServer();
  const { call, servers } = openClient(server.url);
  const held = call("hold", {}, { limit_ms: 60_000 });
  await expect.poll(() => server.calls().length).toBe(1);
  await servers.close();
  expect(await held).toMatchObject({ ok: false, executed: "unknown" });
});

/** A server whose calls are answered by this stream, which `resume` continues; the call of `other` is answered late. */
const startResumable = (stream: string, resume: (asked: number) => ToolAnswer) => {
  let asked = 0;
  let id: unknown;
  return startRawServer((received, response, request) => {
    if (received.method === "GET") {
      asked += 1;
      return resume(asked)(id, response);
    }
    return afterHandshake(({ body }, r) => {
      if (body.params.name === "other") return setTimeout(() => sendJson(r, rpcResult(body.id, {})), 700);
      id = body.id;
      return events(stream)(id, r);
    })(received, response, request);
  });
};
const BEGUN = "id: e1\nretry: 10\ndata: \n\n";

test("a stream that a restarting server refuses once is requested again", async () => {
  const later = events('id: e2\ndata: {"jsonrpc":"2.0","id":ID,"result":{}}\n\n');
  await using server = await startResumable(BEGUN, (asked) => (asked === 1 ? http(503) : later));
  await using client = openClient(server.url);
  expect(await client.call()).toMatchObject({ ok: true });
  expect(server.calls()).toHaveLength(1);
});

test.each<[string, string, ToolAnswer]>([
  ["refused", BEGUN, http(405)],
  ["missing", BEGUN, http(404)],
  ["named by nothing", "id:\ndata: \n\n", () => undefined],
])("a stream that cannot be resumed ends its call at once: %s; other calls continue", async (_how, stream, answer) => {
  await using server = await startResumable(stream, () => answer);
  await using client = openClient(server.url);
  const other = client.call("other");
  const begun = performance.now();
  expect(await client.call()).toMatchObject({ ok: false, executed: "unknown", timed_out: false });
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(await other).toMatchObject({ ok: true });
  expect(server.calls()).toHaveLength(2);
});

test("a stream that ends whenever it is resumed is not requested without end", async () => {
  const again = (asked: number) => events(`id: e${asked}\nretry: 0\ndata: \n\n`);
  await using server = await startResumable("id: e1\nretry: 0\ndata: \n\n", again);
  await using client = openClient(server.url);
  await client.call("create", {}, { limit_ms: 1_000 });
  expect(server.received.filter(({ method }) => method === "GET").length).toBeLessThan(8);
});

test("a stream that stays open after its response does not keep its connection", async () => {
  let connections = 0;
  await using server = await startRawServer(
    afterHandshake(({ body }, response, request) => {
      connections += 1;
      request.socket.once("close", () => {
        connections -= 1;
      });
      events('data: {"jsonrpc":"2.0","id":ID,"result":{}}\n\n', "open")(body.id, response);
    }),
  );
  await using client = openClient(server.url);
  for (let n = 0; n < 5; n += 1) expect(await client.call()).toMatchObject({ ok: true });
  await expect.poll(() => connections, { timeout: 5_000 }).toBe(0);
});
