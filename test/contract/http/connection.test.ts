// Slow, malformed, greedy and disconnected clients do not keep others from being served.
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import type { Caller } from "../../../src/api/operations/operation.ts";
import { eachTime } from "../../support/held.ts";
import { bearer, startHttp } from "../../support/http-endpoint.ts";
import { someOperations } from "../../support/some-operations.ts";
import { HEAD } from "./attacker.ts";

const start = eachTime(startHttp);

const POST = `POST /v1/tasks HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`;

const startWaiting = async () => {
  const { promise, resolve } = Promise.withResolvers<Caller>();
  return { ...(await start({ operations: someOperations(resolve) })), waiting: promise };
};

test("a response may take longer than the time limit of a request", async () => {
  const { get, url } = await start({ limits: { headers_ms: 100, request_ms: 200 } });
  const gone = new AbortController();
  const answer = fetch(`${url}/v1/wait`, { headers: bearer(), signal: gone.signal }).catch(({ name }: Error) => name);
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect((await get("/v1/things/x")).status).toBe(200);
  gone.abort();
  expect(await answer, "the server had not ended it before").toBe("AbortError");
});

test("bad bytes after a waiting request abort it and get no response", async () => {
  const { raw, waiting } = await startWaiting();
  expect(await raw(`GET /v1/wait HTTP/1.1\r\n${HEAD}\r\nnonsense\r\n\r\n`)).toBe("");
  expect((await waiting).signal.aborted).toBe(true);
});

test.each([
  ["destroys", (socket: ReturnType<typeof connect>) => socket.destroy()],
  ["resets", (socket: ReturnType<typeof connect>) => socket.resetAndDestroy()],
  ["ends", (socket: ReturnType<typeof connect>) => socket.end()],
])("a client that %s its connection aborts its own wait and no other", async (_title, leave) => {
  const callers: Caller[] = [];
  const { port, get } = await start({ operations: someOperations((caller) => callers.push(caller)) });
  const waitOn = async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET /v1/wait HTTP/1.1\r\n${HEAD}\r\n`);
    const before = callers.length;
    await expect.poll(() => callers.length).toBe(before + 1);
    return socket;
  };
  const leaver = await waitOn();
  const stayer = await waitOn();
  const [left, stayed] = callers;
  leave(leaver);
  await expect.poll(() => left?.signal.aborted).toBe(true);
  expect(stayed?.signal.aborted).toBe(false);
  expect((await get("/v1/things/x")).status).toBe(200);
  stayer.destroy();
});

test("stop answers open waits and accepts no new connection", async () => {
  const { url, port, stop, waiting } = await startWaiting();
  const answer = fetch(`${url}/v1/wait`, { headers: bearer() });
  const { signal } = await waiting;
  await stop();
  expect(await (await answer).json()).toEqual({ aborted: true });
  expect(signal.aborted).toBe(true);
  const [error] = (await once(connect(port, "127.0.0.1"), "error")) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ECONNREFUSED");
  await stop();
});

test("stop does not wait for a client that keeps its request unfinished", async () => {
  const { port, stop } = await start({ limits: { stop_ms: 100 } });
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => socket.destroy()).write(`${POST}Content-Length: 100\r\n\r\n{`);
  const closed = once(socket, "close");
  await stop();
  await closed;
});

test("connections beyond the limit are dropped while all others wait, and served again once one has closed", async () => {
  const callers: Caller[] = [];
  const operations = someOperations((caller) => callers.push(caller));
  const { port, get } = await start({ operations, limits: { connections: 1 } });
  const first = connect(port, "127.0.0.1");
  await once(first, "connect");
  first.write(`GET /v1/wait HTTP/1.1\r\n${HEAD}\r\n`);
  await expect.poll(() => callers.length).toBe(1);
  await expect(get("/v1/things/x")).rejects.toThrow();
  first.destroy();
  await expect.poll(async () => (await get("/v1/things/x").catch(() => null))?.status).toBe(200);
});
