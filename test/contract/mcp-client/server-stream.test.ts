// T7: what a server asks outside of its responses is answered, on the stream that it may offer, so that no call waits for it.
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import {
  events,
  type Handler,
  http,
  inSession,
  openClient,
  result,
  rpcResult,
  sendJson,
  startRawServer,
  type ToolAnswer,
} from "../../support/tool-server.ts";

const ASKED = "asked-by-the-server";
const PING = `data: ${JSON.stringify({ jsonrpc: "2.0", id: ASKED, method: "ping" })}\n\n`;

type Peer = {
  readonly get: ToolAnswer;
  /** Gets what orch answers to the server. */
  readonly answered?: ToolAnswer;
  readonly call?: ToolAnswer;
  readonly end?: () => void;
};

/** A server with sessions, whose stream is given by `get`. */
const startPeer = ({ get, answered = http(202), call = result({}), end }: Peer) =>
  startRawServer((received, response, request) => {
    if (received.method === "GET") return get(null, response);
    if (received.method === "DELETE") end?.();
    return received.body?.id === ASKED
      ? answered(ASKED, response)
      : inSession(call, "a-session")(received, response, request);
  });

const open: ToolAnswer = (_id, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
};

const asksOf = ({ received }: { received: readonly { method: string | undefined }[] }) =>
  received.filter(({ method }) => method === "GET").length;

const REFUSED = { error: { code: -32_601, message: "Method not found" } };

test.each([
  ["ping", { result: {} }],
  ["sampling/createMessage", REFUSED],
  ["roots/list", REFUSED],
  ["elicitation/create", REFUSED],
])("in the middle of a call a server may ask %s on its stream, and is answered", async (method, answer) => {
  let stream: ServerResponse | null = null;
  let waiting = () => {};
  let answered = 0;
  await using server = await startPeer({
    get: (id, response) => {
      stream = response;
      return open(id, response);
    },
    answered: (id, response) => {
      answered += 1;
      waiting();
      return http(202)(id, response);
    },
    call: (id, response) => {
      waiting = () => sendJson(response, rpcResult(id, { content: [], answered }));
      stream?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: ASKED, method, params: {} })}\n\n`);
    },
  });
  await using client = openClient(server.url);
  for (const count of [1, 2])
    expect(await client.call()).toEqual({ ok: true, stdout: JSON.stringify({ content: [], answered: count }) });
  const answers = server.received.filter(({ body }) => body?.id === ASKED);
  expect(answers.map(({ body }) => body)).toEqual(Array(2).fill({ jsonrpc: "2.0", id: ASKED, ...answer }));
  expect(answers[0]?.headers).toMatchObject({ "mcp-session-id": "a-session" });
  expect(asksOf(server)).toBe(1);
});

test.each<[string, number, ToolAnswer]>([
  ["has none", 1, http(405)],
  ["has a page there", 1, http(200, "<p>")],
  ["is busy", 3, http(503)],
  ["has another one that is still open", 3, http(409)],
  ["breaks the connection", 3, (_id, response) => response.destroy()],
  ["does not answer", 1, () => undefined],
])(
  "a server that %s is called all the same, and asked %i times for its stream in three calls",
  async (_, asked, get) => {
    await using server = await startPeer({ get });
    await using client = openClient(server.url);
    for (let n = 0; n < 3; n += 1) expect(await client.call()).toMatchObject({ ok: true });
    expect(asksOf(server)).toBe(asked);
  },
);

test("a stream that has ended is opened anew before the next call", async () => {
  const streams: ServerResponse[] = [];
  await using server = await startPeer({
    get: (id, response) => {
      streams.push(response);
      return open(id, response);
    },
  });
  await using client = openClient(server.url);
  await client.call();
  await client.call();
  expect(streams).toHaveLength(1);
  const ended = Promise.withResolvers<void>();
  streams[0]?.once("close", ended.resolve).end();
  await ended.promise;
  await expect
    .poll(async () => {
      await client.call();
      return streams.length;
    })
    .toBe(2);
});

test("a server without sessions is not asked for a stream", async () => {
  await using server = await startRawServer(inSession(result({})));
  await using client = openClient(server.url);
  expect(await client.call()).toMatchObject({ ok: true });
  expect(asksOf(server)).toBe(0);
});

test("the stream is closed with the session", async () => {
  let connections = 0;
  const counted: Handler = (received, response, request) => {
    connections += 1;
    request.socket.once("close", () => {
      connections -= 1;
    });
    return received.method === "GET" ? open(null, response) : inSession(result({}), "s")(received, response, request);
  };
  await using server = await startRawServer(counted);
  const { call, servers } = openClient(server.url);
  expect(await call()).toMatchObject({ ok: true });
  await expect.poll(() => connections).toBe(1);
  await servers.close();
  await expect.poll(() => connections).toBe(0);
});

describe("a server that asks without end", () => {
  test("on the stream of a response gets 16 answers at once, and its session ends after them", async () => {
    const released = Promise.withResolvers<void>();
    const seen = { answers: 0, ended: false, late: 0 };
    await using server = await startPeer({
      get: http(405),
      call: events(`${PING.repeat(200)}data: {"jsonrpc":"2.0","id":ID,"result":{}}\n\n`),
      answered: async (id, response) => {
        seen.answers += 1;
        await released.promise;
        if (seen.ended) seen.late += 1;
        return http(202)(id, response);
      },
      end: () => {
        seen.ended = true;
      },
    });
    const { call, servers } = openClient(server.url);
    expect(await call()).toMatchObject({ ok: true });
    await expect.poll(() => seen.answers).toBe(16);
    expect(await call()).toMatchObject({ ok: true });
    expect(seen).toEqual({ answers: 16, ended: false, late: 0 });
    const closed = servers.close();
    released.resolve();
    await closed;
    expect(seen).toEqual({ answers: 16, ended: true, late: 0 });
  });

  test("on its own stream gets 16 answers at once, and its stream ends with the session", async () => {
    const released = Promise.withResolvers<void>();
    const seen = { open: 0, answers: 0 };
    await using server = await startPeer({
      get: (_id, response) => {
        seen.open += 1;
        const timer = setInterval(() => response.write(PING), 5);
        response.once("close", () => {
          clearInterval(timer);
          seen.open -= 1;
        });
        return response.writeHead(200, { "content-type": "text/event-stream" }).write(PING.repeat(200));
      },
      answered: async (id, response) => {
        seen.answers += 1;
        // Not all at once, so that there is always one under way.
        const late_ms = 50 + 10 * (seen.answers % 16);
        await released.promise;
        return setTimeout(() => http(202)(id, response), late_ms);
      },
    });
    const { call, servers } = openClient(server.url);
    expect(await call()).toMatchObject({ ok: true });
    await expect.poll(() => seen.answers).toBe(16);
    expect(await call()).toMatchObject({ ok: true });
    expect(seen).toEqual({ open: 1, answers: 16 });
    released.resolve();
    await servers.close();
    await expect.poll(() => seen.open).toBe(0);
  });
});
