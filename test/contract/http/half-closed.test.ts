// Clients that shut their sending side after a request, and floods of requests that never end.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { answerTo } from "../../support/half-closed-client.ts";
import { type RunningHttp, startHttp } from "../../support/http-endpoint.ts";
import { someOperations } from "../../support/some-operations.ts";
import { HEAD } from "./attacker.ts";

let endpoint: RunningHttp;
const start = async (...options: Parameters<typeof startHttp>) => {
  endpoint = await startHttp(...options);
  return endpoint;
};
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await endpoint.stop();
});

const JSON_POST = `POST /v1/things/x HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`;
const getting = (id: string) => `GET /v1/things/${id} HTTP/1.1\r\n${HEAD}\r\n`;
const post = (path: string, body: string) =>
  `${JSON_POST.replace("/v1/things/x", path)}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe("a client that shuts its sending side after its request gets the answer (promises 4.7)", () => {
  test.each([
    ["a GET", getting("x"), 200, '"thing_id":"x"'],
    ["a GET of HTTP/1.0", `GET /v1/things/x HTTP/1.0\r\n${HEAD}\r\n`, 200, '"thing_id":"x"'],
    ["a POST", post("/v1/things/x", '{"payload":{"a":1}}'), 200, '"a":1'],
    ["a submit", post("/v1/tasks", '{"task_id":"t-1"}'), 200, '"task_id":"t-1"'],
    ["a POST in chunks", `${JSON_POST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, 200, '"thing_id":"x"'],
    ["a refused POST", post("/v1/things/x", "{"), 400, '"code":"'],
    ["a request without a token", "GET /v1/things/x HTTP/1.1\r\nHost: localhost\r\n\r\n", 401, '"code":"'],
    ["a wait", `GET /v1/wait HTTP/1.1\r\n${HEAD}\r\n`, 200, '"aborted":true'],
    ["two requests at once", getting("x") + getting("y"), 200, '"thing_id":"y"'],
  ])("%s", async (_what, bytes, status, part) => {
    await start();
    const answer = await answerTo(endpoint.port, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(part);
  });

  test("no connection stays open", async () => {
    await start({ limits: { connections: 5 } });
    for (let n = 0; n < 40; n++) expect(await answerTo(endpoint.port, getting("x"))).toContain("200 OK");
  });
});

describe("requests that never end keep no one out (promises 4.8)", () => {
  const MOST = 200;
  const flood = async (port: number, bytes: string, count: number) => {
    const dialled = Array.from({ length: count }, async () => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => socket.destroy());
      await once(socket, "connect").catch(() => undefined);
      socket.write(bytes);
      return socket;
    });
    return Promise.all(dialled);
  };
  // Each has an endpoint of its own, and they wait at the same time.
  test.concurrent.each([
    ["nothing", ""],
    ["half a line", "POST /v1/ta"],
    ["half a head", "POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\n"],
    ["half a head with a token", `POST /v1/tasks HTTP/1.1\r\n${HEAD}`],
    ["half a body", `${JSON_POST.replace(/Authorization.*\r\n/, "")}Content-Length: 100\r\n\r\n{`],
    ["half a body with a token", `${JSON_POST}Content-Length: 100\r\n\r\n{`],
    ["a whole request, and silence", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["half of a second request", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /he"],
  ])("%s, twice as often as there may be connections", async (_what, bytes) => {
    const { get, port, stop } = await startHttp({ limits: { connections: MOST } });
    const dialled: Socket[] = [];
    for (let round = 0; round < 2; round++) {
      dialled.push(...(await flood(port, bytes, 2 * MOST)));
      for (let n = 0; n < 5; n++) expect((await get("/v1/things/x", { connection: "close" })).status).toBe(200);
    }
    for (const socket of dialled) socket.destroy();
    await stop();
  });

  test("a caller that waits keeps its connection", async () => {
    let waiting = 0;
    const operations = someOperations(() => {
      waiting += 1;
    });
    await start({ operations, limits: { connections: MOST } });
    const socket = connect(endpoint.port, "127.0.0.1");
    sockets.add(socket);
    socket.write(`GET /v1/wait HTTP/1.1\r\n${HEAD}\r\n`);
    await expect.poll(() => waiting).toBe(1);
    for (const one of await flood(endpoint.port, "POST /v1/ta", 2 * MOST)) sockets.add(one);
    expect([socket.destroyed, socket.readableEnded]).toEqual([false, false]);
  });
});
