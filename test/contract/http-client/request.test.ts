// The one HTTP client against servers that answer, refuse, break off and never end.
import { createServer as createTcpServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type HttpFault, openRequest, sendRequest } from "../../../src/http-client/request.ts";
import { startRawServer } from "../../support/tool-server.ts";

type Handler = Parameters<typeof startRawServer>[0];
type Options = Partial<Parameters<typeof sendRequest>[0]>;

async function send(handler: Handler, options: Options = {}) {
  await using server = await startRawServer(handler);
  const response = await sendRequest({ method: "GET", url: server.url, max_bytes: 1_000, ...options });
  return { response, received: server.received };
}

async function faultOf(handler: Handler, options: Options = {}): Promise<HttpFault> {
  const { response } = await send(handler, options);
  if (response.ok) throw new Error(`an answer: ${response.status}`);
  return response.fault;
}

describe("A request", () => {
  test("carries its method, headers and body, on a connection that is closed", async () => {
    const { response, received } = await send((_received, answer) => answer.end("größe"), {
      method: "POST",
      body: '{"a":"ü"}',
      headers: { authorization: "Bearer t", "content-type": "application/json" },
    });
    expect(response).toMatchObject({ ok: true, status: 200, text: "größe" });
    expect(received).toMatchObject([
      {
        method: "POST",
        body: { a: "ü" },
        headers: {
          authorization: "Bearer t",
          connection: "close",
          "accept-encoding": "identity",
          "content-length": "10",
        },
      },
    ]);
  });

  test.each([301, 302, 303, 307, 308])("does not follow a redirect with status %i", async (status) => {
    const { response, received } = await send((_received, answer) =>
      answer.writeHead(status, { location: "/x" }).end(),
    );
    expect(response).toMatchObject({ ok: true, status });
    expect(received).toHaveLength(1);
  });

  test.each([404, 500])("gives an answer with status %i as it is", async (status) => {
    const { response } = await send((_received, answer) => answer.writeHead(status).end("no"));
    expect(response).toMatchObject({ ok: true, status, text: "no" });
  });
});

describe("A request has no answer, and was not sent, when", () => {
  test.each([
    ["http://127.0.0.1:1/", "ECONNREFUSED"],
    ["http://no-such-name.invalid/", /ENOTFOUND|EAI_AGAIN/],
  ])("%s cannot be reached", async (url, code) => {
    const response = await sendRequest({ method: "GET", url, max_bytes: 1 });
    expect(response).toMatchObject({ ok: false, fault: { code: "unreachable", sent: false } });
    expect(response.ok ? "" : response.fault.system_code).toMatch(code);
    expect(response.ok ? "" : response.fault.message).toMatch(code);
  });

  test("the server does not speak TLS", async () => {
    await using server = await startRawServer(() => undefined);
    const url = server.url.replace("http:", "https:");
    const response = await sendRequest({ method: "GET", url, max_bytes: 1 });
    expect(response).toMatchObject({ ok: false, fault: { code: "unreachable", sent: false } });
  });

  test("the TLS handshake does not end in time", async () => {
    const server = createTcpServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const response = await sendRequest({
      method: "GET",
      url: `https://127.0.0.1:${port}/`,
      limit_ms: 200,
      max_bytes: 1,
    });
    expect(response).toMatchObject({ ok: false, fault: { code: "timed_out", sent: false } });
    server.close();
  });

  test("it is stopped before it begins", async () => {
    expect(await faultOf(() => undefined, { signal: AbortSignal.abort() })).toMatchObject({
      code: "aborted",
      sent: false,
    });
  });
});

describe("A request has no answer, and may have been executed, when", () => {
  const begun: Handler = (_received, answer) => answer.writeHead(200).write("begun");

  test.each<[string, Handler, Options, object]>([
    ["the server hangs up", (_received, answer) => answer.destroy(), {}, { code: "lost", system_code: "ECONNRESET" }],
    [
      "the answer is cut off",
      (_received, answer) => {
        answer.writeHead(200, { "content-length": 99 }).write("{");
        setTimeout(() => answer.destroy(), 30);
      },
      {},
      { code: "lost" },
    ],
    ["nothing is answered in time", () => undefined, { limit_ms: 200 }, { code: "timed_out" }],
    ["the answer does not end in time", begun, { limit_ms: 200 }, { code: "timed_out" }],
    ["the answer is too large", (_received, answer) => answer.end("x".repeat(2_000)), {}, { code: "too_large" }],
  ])("%s", async (_what, handler, options, expected) => {
    expect(await faultOf(handler, options)).toMatchObject({ ...expected, sent: true });
  });

  test("the caller stops it", async () => {
    const stop = new AbortController();
    const handler: Handler = (_received, answer) => {
      answer.writeHead(200).write("begun");
      stop.abort();
    };
    expect(await faultOf(handler, { signal: stop.signal })).toMatchObject({ code: "aborted", sent: true });
  });
});

test("An open answer is read piece by piece, and closing it closes the connection", async () => {
  let isClosed = false;
  await using server = await startRawServer((_received, answer, request) => {
    request.socket.once("close", () => {
      isClosed = true;
    });
    answer.writeHead(200).write("one");
  });
  const response = await openRequest({ method: "GET", url: server.url, max_bytes: 100 });
  if (!response.ok) throw new Error(response.fault.message);
  for await (const chunk of response.body) {
    expect(Buffer.from(chunk).toString()).toBe("one");
    break;
  }
  await expect.poll(() => isClosed).toBe(true);
});

test("Its deadline covers the answer's last byte, also of one that is read slowly", async () => {
  await using server = await startRawServer((_received, answer) => answer.writeHead(200).write("one"));
  const response = await openRequest({ method: "GET", url: server.url, max_bytes: 100, limit_ms: 300 });
  if (!response.ok) throw new Error(response.fault.message);
  await sleep(100);
  const read = async () => {
    for await (const _chunk of response.body);
  };
  await expect(read()).rejects.toMatchObject({ fault: { code: "timed_out", sent: true } });
});
